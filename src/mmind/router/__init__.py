"""The product: one question, many stores, one ranked answer. Knows ports, never an engine."""
