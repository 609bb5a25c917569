// One conversation with the server by an official TypeScript client; prints what it saw as JSON.
// Usage: node session.mjs sdk|client legacy|auto|2026-07-28 COMMAND [ARGUMENT…]
const [library, era, command, ...args] = process.argv.slice(2);

async function connected() {
  const identity = { name: `interop ${library} ${era}`, version: "1" };
  if (library === "sdk") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const client = new Client(identity);
    await client.connect(new StdioClientTransport({ command, args, env: process.env }));
    return client;
  }
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const mode = era === "legacy" || era === "auto" ? era : { pin: era };
  const client = new Client(identity, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args, env: process.env }));
  return client;
}

const client = await connected();
const seen = { tools: (await client.listTools()).tools.map((tool) => tool.name), instructions: client.getInstructions() };
const call = async (name, given) => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  return { text: content.map((block) => block.text).join("\n"), structured: structuredContent, isError: isError ?? false };
};
seen.stored = await call("store", { content: "The pilot boat is called Sleipner.", tags: ["boat"] });
seen.retrieved = await call("retrieve", { query: "what is the pilot boat called?", explain: true });
seen.got = await call("get", { id: seen.stored.structured.id });
seen.sources = await call("sources", {});
seen.forgotten = await call("forget", { id: seen.stored.structured.id });
seen.refused = await call("retrieve", { query: "boat", limit: 900 });
seen.unknown = await call("no_such_tool", {}).then(() => null, (error) => error.code);
await client.close();
console.log(JSON.stringify(seen));
