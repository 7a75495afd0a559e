import type { CommandSyntax } from "../command-syntax";
import { execCommand } from "../programs/exec-command";
import { shellCommand } from "../programs/shell-command";

const LOGS: CommandSyntax = {
  noun: "pods",
  verb: "logs",
  scope: "pods:read",
  summary: "Print the output of a pod's last run",
  details: [
    "Standard output and standard error are printed on standard output, without what would control a terminal. With --follow the command ends when the run has ended; Ctrl-C ends it earlier, and the pod runs on.",
  ],
  fields: [{ name: "id", in: "path", kind: "string", required: true }],
  flags: [
    { name: "follow", kind: "boolean", description: "Continue until the run has ended" },
    {
      name: "tail-bytes",
      kind: "integer",
      minimum: 1,
      maximum: 1_048_576,
      description: "How much of the newest output to begin with, at most 1 MiB; default 64 KiB",
    },
    { name: "json", kind: "boolean", description: "Print the API's response; with --follow each event as a line" },
  ],
  example: "svc pods logs pod_01jd0z3k5q8v6w2x4y7a9b1c3d --follow",
};

const POD = "pod_01jd0z3k5q8v6w2x4y7a9b1c3d";
const SHELL = shellCommand("pods", "pod", POD);
const EXEC = execCommand({ noun: "pods", one: "pod", scope: "pods:write", secondsMax: 300, id: POD });

const WATCH: CommandSyntax = {
  noun: "pods",
  verb: "watch",
  scope: "pods:read",
  summary: "Print the events of a pod as they happen",
  details: [
    "Prints the events of the pod, the oldest first, and new ones every second; on a terminal also its place in the queue and the expected wait. The exit status is 0 when the pod has ended or, with --until ready, when its process runs; 1 if it failed. Ctrl-C ends it.",
  ],
  fields: [
    { name: "id", in: "path", kind: "string", required: true },
    {
      name: "until",
      in: "body",
      kind: "string",
      values: ["ready", "ended"],
      default: "ended",
      description: "When to end",
    },
  ],
  flags: [{ name: "json", kind: "boolean", description: "Print each event as a line of JSON" }],
  example: "svc pods watch pod_01jd0z3k5q8v6w2x4y7a9b1c3d --until ready",
};

export const POD_COMMANDS: readonly CommandSyntax[] = [EXEC, LOGS, SHELL, WATCH];
