import type { CommandSyntax } from "../command-syntax";
import { execCommand } from "../programs/exec-command";
import { shellCommand } from "../programs/shell-command";

const WORKSPACE = "wsp_01jd0z3k5q8v6w2x4y7a9b1c3d";

const OPEN: CommandSyntax = {
  noun: "workspaces",
  verb: "open",
  scope: "workspaces:write",
  summary: "Start a workspace if it is stopped, and print the URL that opens it",
  details: ["The URL is that of a page of the dashboard, where you are logged in or log in."],
  fields: [{ name: "id", in: "path", kind: "string", required: true }],
  flags: [{ name: "json", kind: "boolean", description: "Print the workspace instead" }],
  example: `svc workspaces open ${WORKSPACE}`,
};

export const WORKSPACE_COMMANDS: readonly CommandSyntax[] = [
  execCommand({
    noun: "workspaces",
    one: "workspace",
    scope: "workspaces:write",
    secondsMax: 300,
    id: WORKSPACE,
  }),
  OPEN,
  shellCommand("workspaces", "workspace", WORKSPACE),
];
