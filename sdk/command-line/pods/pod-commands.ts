import type { CommandSyntax } from "../command-syntax";

const LOGS: CommandSyntax = {
  ...{ noun: "pods", verb: "logs", scope: "pods:read" },
  summary: "Print the output of a pod's last run",
  details: [
    "Standard output and standard error are printed on standard output, without what would control a terminal. With --follow the command ends when the run has ended; Ctrl-C ends it earlier, and the pod runs on.",
  ],
  fields: [{ name: "id", in: "path", kind: "string", required: true }],
  flags: [
    { name: "follow", kind: "boolean", description: "Go on until the run has ended" },
    {
      ...{ name: "tail-bytes", kind: "integer", minimum: 1, maximum: 1_048_576 },
      description: "How much of the newest output to begin with, at most 1 MiB; default 64 KiB",
    },
    { name: "json", kind: "boolean", description: "Print the API's response; with --follow each event as a line" },
  ],
  example: "svc pods logs pod_01jd0z3k5q8v6w2x4y7a9b1c3d --follow",
};

export const POD_COMMANDS: readonly CommandSyntax[] = [LOGS];
