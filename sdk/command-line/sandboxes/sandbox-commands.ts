import type { CommandSyntax } from "../command-syntax";
import { EXIT_STATUS, execCommand, JSON_FLAG } from "../programs/exec-command";

const SECONDS_MAX = 86_400;

const RUN: CommandSyntax = {
  noun: "sandboxes",
  verb: "run",
  scope: "sandboxes:write",
  summary: "Run a command in a new sandbox, and print what it prints",
  details: [EXIT_STATUS],
  fields: [
    { name: "image", in: "body", kind: "string", required: true, example: "python:3.12" },
    { name: "cpu", in: "body", kind: "integer", minimum: 1, description: "Cores; default 1" },
    { name: "memory_mb", in: "body", kind: "integer", minimum: 64, description: "Memory in MiB; default 512" },
    { name: "env", in: "body", kind: "object", description: 'Variables, such as { "LANG": "C.UTF-8" }' },
    {
      name: "timeout_seconds",
      in: "body",
      kind: "integer",
      minimum: 1,
      maximum: SECONDS_MAX,
      description: "When it is ended; default 300",
    },
    { name: "keep_alive", in: "body", kind: "boolean", description: "Keep the sandbox; its id is on standard error" },
  ],
  flags: [JSON_FLAG],
  runsProgram: true,
  example: "svc sandboxes run --image python:3.12 -- python3 -c 'print(6 * 7)'",
};

const EXEC = execCommand({
  noun: "sandboxes",
  one: "sandbox",
  scope: "sandboxes:write",
  secondsMax: SECONDS_MAX,
  id: "sbx_01jd0z3k5q8v6w2x4y7a9b1c3d",
});

export const SANDBOX_COMMANDS: readonly CommandSyntax[] = [RUN, EXEC];
