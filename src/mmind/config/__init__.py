"""What can be set: one table of knobs, the settings read from it, and the file that keeps them."""
