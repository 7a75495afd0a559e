import type { CommandSyntax } from "../command-syntax";

const DEPLOY: CommandSyntax = {
  noun: "functions",
  verb: "deploy",
  scope: "functions:write",
  summary: "Deploy a file as the next version of a function, or as a new function",
  details: [
    "The file is a JavaScript module, which is loaded before anything changes. A name that no function of the key's project and mode has creates one.",
  ],
  fields: [
    { name: "id", in: "path", kind: "string", required: true, description: "The id or name of the function" },
    {
      name: "file",
      in: "body",
      kind: "string",
      required: true,
      description: "The module; - reads it from standard input",
      example: "index.js",
    },
    {
      name: "handler",
      in: "body",
      kind: "string",
      default: "default",
      description: "The name of the export that is called",
    },
  ],
  flags: [{ name: "json", kind: "boolean", description: "Print the API's response" }],
  example: "svc functions deploy total --file index.js",
};

export const FUNCTION_COMMANDS: readonly CommandSyntax[] = [DEPLOY];
