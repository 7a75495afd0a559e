interface Configuration {
  value: string;
  label: string;
  /** The file or program that the text is for. */
  where: string;
  code: string;
}

const KEY = "svc_test_…";

/** How common clients are connected to the endpoint. */
export function configurations(endpoint: string): Configuration[] {
  const headers = { Authorization: `Bearer ${KEY}` };
  const json = (value: object) => JSON.stringify(value, null, 2);
  const bridge = {
    command: "svc",
    args: ["mcp", "serve"],
    env: { SVC_API_KEY: KEY, SVC_BASE_URL: new URL(endpoint).origin },
  };
  return [
    {
      value: "claude-code",
      label: "Claude Code",
      where: "Shell",
      code: `claude mcp add --transport http svc ${endpoint} --header "Authorization: Bearer ${KEY}"`,
    },
    {
      value: "cursor",
      label: "Cursor",
      where: ".cursor/mcp.json",
      code: json({ mcpServers: { svc: { url: endpoint, headers } } }),
    },
    {
      value: "vscode",
      label: "VS Code",
      where: ".vscode/mcp.json",
      code: json({ servers: { svc: { type: "http", url: endpoint, headers } } }),
    },
    {
      value: "stdio",
      label: "Programs",
      where: "For clients that start a program",
      code: json({ mcpServers: { svc: bridge } }),
    },
  ];
}
