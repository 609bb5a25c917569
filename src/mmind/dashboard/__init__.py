"""The terminal dashboard: every store, access, engines, tuning and the audit log on one screen, by keyboard."""
