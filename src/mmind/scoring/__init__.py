"""The arithmetic of a score: each factor is one small function of plain numbers."""
