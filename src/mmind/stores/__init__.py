"""The stores: one engine a file, each keeping the promises E1 to E13 of `mmind.values.ports.Engine`."""
