"""A wrapped source as the saved file names it."""

from __future__ import annotations

TICKETS = """
[sources.tickets]
kind = "sqlite"
path = "tickets.db"
table = "tickets"
id = "id"
text = "body"
half_life_days = 30
"""
