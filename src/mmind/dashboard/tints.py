"""The few colours of the dashboard. Each stands beside a word or a sign that says the same without colour."""

from __future__ import annotations

GOOD = "#8fbf7f"
BAD = "#e0787f"
WARN = "#d9b36c"
MAIN = "#7fb4d0"
QUIET = "dim"

READY = "●"
OFF = "○"
FAULT = "✕"
