"""Finds the programs that fringe is compared with, runs them on the same graphs and sources, checks them."""
