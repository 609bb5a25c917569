"""What every floor speaks of: memories, queries, results, errors, ports. Standard library only; no clock, no disk."""
