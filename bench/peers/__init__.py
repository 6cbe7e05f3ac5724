"""The programs that fringe is compared with: found, run on the same graphs and sources, checked."""
