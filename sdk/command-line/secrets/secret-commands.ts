import type { CommandSyntax, Field, Flag } from "../command-syntax";

const NAME: Field = { name: "name", in: "path", kind: "string", required: true };
const TENANT: Flag = {
  name: "tenant",
  kind: "boolean",
  description: "The secret of the whole tenant, instead of the one of the key's project",
};

const PUT: CommandSyntax = {
  noun: "secrets",
  verb: "put",
  scope: "secrets:write",
  summary: "Store a secret, or a new version of it",
  details: [
    "The prompt for the value has no echo, or read from standard input when that is not a terminal; one line feed at its end is removed. It is never printed.",
  ],
  fields: [NAME],
  flags: [
    { name: "value-file", kind: "string", description: "A file with the value, byte for byte" },
    {
      name: "value",
      kind: "string",
      description: "The value itself: your shell stores it in its history, and others can see it while svc runs",
    },
    TENANT,
    { name: "json", kind: "boolean", description: "Print the API's response" },
  ],
  example: "svc secrets put OPENAI_KEY < key.txt",
};

const REVEAL: CommandSyntax = {
  noun: "secrets",
  verb: "reveal",
  scope: "secrets:reveal",
  summary: "Print the value of a secret on standard output, and nothing else",
  details: ["Every call is recorded in the audit log."],
  fields: [NAME],
  flags: [
    {
      name: "version",
      kind: "integer",
      minimum: 1,
      description: "One of the last 10 versions; default: the current one",
    },
    TENANT,
    { name: "json", kind: "boolean", description: "Print the API's response" },
  ],
  example: "svc secrets reveal OPENAI_KEY",
};

export const SECRET_COMMANDS: readonly CommandSyntax[] = [PUT, REVEAL];
