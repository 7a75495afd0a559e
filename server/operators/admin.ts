import { parseArgs } from "node:util";
import { z } from "zod";
import { COMMANDS, type Command, type Opens } from "./commands";

interface AdminParts extends Opens {
  print: (line: string) => void;
  printError: (line: string) => void;
}

/** `svc admin`: answers the exit status: 0, 1 when it failed, 2 for wrong usage. Opens no engine before the words are right. */
export async function runAdmin(argv: readonly string[], { print, printError, ...opens }: AdminParts): Promise<number> {
  if (argv.length === 0 || ["help", "--help", "-h"].includes(argv[0] ?? "")) {
    print(ADMIN_USAGE);
    return argv.length === 0 ? 2 : 0;
  }
  const read = readCommand(argv);
  if ("help" in read) {
    print(read.help);
    return 0;
  }
  if ("refusal" in read) {
    printError(read.refusal);
    return 2;
  }
  const answer = await read.run(opens);
  print(read.isJson ? JSON.stringify(answer.json, undefined, 2) : answer.text);
  return answer.status ?? 0;
}

export const ADMIN_USAGE = `Usage: npm run svc -- admin <command>

${COMMANDS.map(({ name, usage, about }) => `  ${`${name} ${usage}`.trim()}\n      ${about}`).join("\n")}

Every command takes --json and --help; all but restore work with or without a running server.`;

type Read = { help: string } | { refusal: string } | { run: ReturnType<Command["bind"]>; isJson: boolean };

function readCommand(argv: readonly string[]): Read {
  const words = argv.filter((word) => !word.startsWith("-")).join(" ");
  const command = COMMANDS.find(({ name }) => words === name || words.startsWith(`${name} `));
  if (!command) return { refusal: `There is no "${words}". See npm run svc -- admin --help.` };
  const usage = `Usage: npm run svc -- admin ${`${command.name} ${command.usage}`.trim()}`;
  try {
    const boolean = { type: "boolean" } as const;
    const options = Object.fromEntries(["json", "help", ...command.flags].map((flag) => [flag, boolean]));
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { help: `${usage}\n\n${command.about}` };
    const operands = positionals.slice(command.name.split(" ").length);
    return { run: command.bind(operands, new Set(Object.keys(values))), isJson: values.json === true };
  } catch (failure) {
    const why = failure instanceof z.ZodError ? failure.issues[0]?.message : (failure as Error).message;
    return { refusal: `${why}\n${usage}` };
  }
}
