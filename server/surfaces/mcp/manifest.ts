import { MCP_PATH } from "./mcp-path";
import { listedTools } from "./tool-pages";

/** Where clients look for the manifest of a site. */
export const MANIFEST_WELL_KNOWN = "/.well-known/mcp.json";
export const MANIFEST_PATHS = [`${MCP_PATH}/manifest.json`, MANIFEST_WELL_KNOWN] as const;

/** "Tool manifest" of the specification: how to reach the endpoint, and every tool, whatever a key may call. */
export const toolManifest = (publicUrl: string): object => ({
  schemaVersion: "2024-11-05",
  name: "svc",
  displayName: "svc",
  description: "Operate svc: GPU pods, storage, secrets, queues, chat models, and contextual offers",
  homepage: publicUrl,
  docs: `${publicUrl}/docs/agents`,
  transports: [{ type: "http", url: `${publicUrl}${MCP_PATH}`, auth: { type: "bearer", header: "Authorization" } }],
  tools: listedTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
});
