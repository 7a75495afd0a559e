/** The endpoint for agents ("Tool endpoint" of the specification). */
export const MCP_PATH = "/v1/mcp";
