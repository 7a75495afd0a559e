import type { CommandSyntax, Flag } from "../command-syntax";

const CHOICE: readonly Flag[] = [
  { name: "toolsets", kind: "string", description: "Only tools of these toolsets, such as pods,storage" },
  { name: "read-only", kind: "boolean", description: "Only tools that change nothing" },
];

const TOOLS: CommandSyntax = {
  noun: "mcp",
  verb: "tools",
  summary: "List the tools that agents can call with this key",
  fields: [],
  flags: [...CHOICE, { name: "json", kind: "boolean", description: "Print the tools with their whole schemas" }],
};

const CALL: CommandSyntax = {
  noun: "mcp",
  verb: "call",
  summary: "Call a tool, as an agent does",
  fields: [{ name: "tool", in: "path", kind: "string", required: true }],
  flags: [
    { name: "arguments", kind: "object", description: "The arguments of the tool, as a JSON object" },
    { name: "json", kind: "boolean", description: "Print the whole result" },
  ],
  example: `svc mcp call svc_storage_list --arguments '{"prefix":"invoices/"}'`,
};

const SERVE: CommandSyntax = {
  noun: "mcp",
  verb: "serve",
  summary: "Connect an agent that speaks MCP over standard input and output",
  details: [
    "Each line of standard input is sent to svc as a message, and each message of svc is a line of standard output. For clients that start a program instead of connecting to a URL; others connect to /v1/mcp themselves. It ends when its input ends.",
  ],
  fields: [],
  flags: CHOICE,
  example: "svc mcp serve",
};

export const MCP_COMMANDS: readonly CommandSyntax[] = [TOOLS, CALL, SERVE];
