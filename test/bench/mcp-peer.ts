import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { allTools } from "../../server/surfaces/mcp/tools";

/** The endpoint as the SDK's guide writes it: a server per request, which registers every tool; tools return nothing. */
export function serveMcpPeer(): void {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "peer", version: "1" });
    for (const { name, title, description, arguments: inputSchema } of allTools) {
      server.registerTool(name, { title, description, inputSchema }, () => ({
        content: [{ type: "text", text: "{}" }],
      }));
    }
    return server;
  });
  const server = createServer(getRequestListener((request) => handler.fetch(request)));
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
