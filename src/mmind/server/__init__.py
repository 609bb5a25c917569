"""The MCP face: a light front that answers the handshake at once, and the SDK behind it that runs the tools."""
