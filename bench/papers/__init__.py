"""The papers' tables and figures: what to run (jobs), running it (run), drawing it (page_*)."""
