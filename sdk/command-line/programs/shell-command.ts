import type { CommandSyntax } from "../command-syntax";

/** `svc <noun> shell <id>`. */
export const shellCommand = (noun: string, one: string, id: string): CommandSyntax => ({
  noun,
  verb: "shell",
  scope: `${noun}:write`,
  summary: `Open a terminal in a ${one}`,
  details: [
    "Without a command, the shell of the image is started: bash, or else sh. Every key goes there, Ctrl-C too, and the exit status is that of the program: 128 and the number of the signal that ended it. If the connection ends before the program, the program is ended.",
    "The program has a terminal even if standard input is none: then what is read there is typed, and after its end Ctrl-D; the output is unchanged, with what the terminal echoes. Ctrl-C then ends the command.",
  ],
  fields: [{ name: "id", in: "path", kind: "string", required: true }],
  flags: [],
  runsProgram: "optional",
  example: `svc ${noun} shell ${id} -- /bin/ls -l`,
});
