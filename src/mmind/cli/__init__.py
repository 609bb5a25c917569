"""The command line: what a person types, and what is printed for people and for programs."""
