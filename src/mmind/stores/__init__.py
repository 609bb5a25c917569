"""How does one kind of place keep memories? One engine a file, by the promises E1 to E13 of `values.ports.Engine`."""
