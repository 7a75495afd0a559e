import type { CommandSyntax } from "../command-syntax";

const DEPLOY: CommandSyntax = {
  noun: "edge",
  verb: "deploy",
  scope: "edge:write",
  summary: "Publish a file as the next version of an edge function, or as a new one",
  details: [
    "The file is a JavaScript module, which is loaded and tried before anything changes. A name that no edge function of the key's project and mode has creates one. With --draft it is stored and not published.",
  ],
  fields: [
    { name: "id", in: "path", kind: "string", required: true, description: "The id or name of the edge function" },
    {
      name: "file",
      in: "body",
      kind: "string",
      required: true,
      description: "The module; - reads it from standard input",
      example: "index.js",
    },
    {
      name: "bindings",
      in: "body",
      kind: "objects",
      description: "What is in env of the code, as a JSON list; default: what the draft has",
      example: '[{"type":"kv","name":"CACHE","namespace":"cache"}]',
    },
    {
      name: "env",
      in: "body",
      kind: "object",
      description: "Texts and references to secrets in env of the code, as JSON; default: what the draft has",
      example: '{"GREETING":"Hello","TOKEN":{"secret":"TOKEN"}}',
    },
  ],
  flags: [
    { name: "draft", kind: "boolean", description: "Do not publish it" },
    { name: "json", kind: "boolean", description: "Print the API's response" },
  ],
  example: "svc edge deploy hello --file index.js",
};

const LOGS: CommandSyntax = {
  noun: "edge",
  verb: "logs",
  scope: "edge:read",
  summary: "Print the logs of an edge function",
  details: ["Its requests, and what its code printed. With --follow the command continues until Ctrl-C."],
  fields: [
    { name: "id", in: "path", kind: "string", required: true, description: "The id or name of the edge function" },
  ],
  flags: [
    { name: "follow", kind: "boolean", description: "Continue with new lines" },
    {
      name: "lines",
      kind: "integer",
      minimum: 1,
      maximum: 1000,
      description: "How many of the newest lines to begin with, at most 1,000; default 200",
    },
    { name: "json", kind: "boolean", description: "Print the API's response; with --follow each event as a line" },
  ],
  example: "svc edge logs hello --follow",
};

export const EDGE_COMMANDS: readonly CommandSyntax[] = [DEPLOY, LOGS];
