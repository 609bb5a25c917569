"""Which MCP clients there are, where each keeps its list of servers, and how an entry of ours gets in and out of it."""
