import type { CommandSyntax } from "../command-syntax";

/** How commands print what a program wrote. */
export const EXIT_STATUS =
  "Its standard output and standard error are printed as they are, at most 1 MiB in all, when it has ended, and the exit status is its own: 128 and the number of the signal that ended it. Ctrl-C ends it.";
export const JSON_FLAG = {
  name: "json",
  kind: "boolean",
  description: "Print the API's response instead",
} as const;

interface ExecCommand {
  noun: string;
  /** In the singular, as in "Run a program in a pod". */
  one: string;
  scope: string;
  secondsMax: number;
  /** An id, for the example. */
  id: string;
}

/** `svc <noun> exec <id> -- <program>`. */
export const execCommand = ({ noun, one, scope, secondsMax, id }: ExecCommand): CommandSyntax => ({
  noun,
  verb: "exec",
  scope,
  summary: `Run a program in a ${one}, and print what it prints`,
  details: [EXIT_STATUS],
  fields: [
    { name: "id", in: "path", kind: "string", required: true },
    { name: "stdin", in: "body", kind: "string", description: "What the program reads from standard input" },
    {
      name: "timeout_seconds",
      in: "body",
      kind: "integer",
      minimum: 1,
      maximum: secondsMax,
      description: "When it is ended; default 60",
    },
  ],
  flags: [JSON_FLAG],
  runsProgram: true,
  example: `svc ${noun} exec ${id} -- /bin/ls -l`,
});
