import { parseArgs } from "node:util";
import { z } from "zod";
import type { Command, Opens } from "./command";
import { COMMANDS } from "./commands";

interface AdminParts extends Opens {
  print: (line: string) => void;
  printError: (line: string) => void;
}

/**
 * Runs `svc admin` and returns the exit status: 0, 1 if the command failed, 2 for invalid usage. Opens no engine before
 * the arguments are valid.
 */
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
  if ("error" in read) {
    printError(read.error);
    return 2;
  }
  const result = await read.run(opens);
  print(read.isJson ? JSON.stringify(result.json, undefined, 2) : result.text);
  return result.status ?? 0;
}

export const ADMIN_USAGE = `Usage: npm run svc -- admin <command>

${COMMANDS.map(({ name, usage, about }) => `  ${`${name} ${usage}`.trim()}\n      ${about}`).join("\n")}

Every command accepts --json and --help. All commands except restore work with or without a running server.`;

type Read = { help: string } | { error: string } | { run: ReturnType<Command["bind"]>; isJson: boolean };

function readCommand(argv: readonly string[]): Read {
  const words = argv.filter((word) => !word.startsWith("-")).join(" ");
  const command = COMMANDS.find(({ name }) => words === name || words.startsWith(`${name} `));
  if (!command) return { error: `Unknown command "${words}". See npm run svc -- admin --help.` };
  const usage = `Usage: npm run svc -- admin ${`${command.name} ${command.usage}`.trim()}`;
  try {
    const boolean = { type: "boolean" } as const;
    const text = { type: "string" } as const;
    const options: Record<string, typeof boolean | typeof text> = {
      ...Object.fromEntries(["json", "help", ...command.flags].map((flag) => [flag, boolean])),
      ...Object.fromEntries(command.texts.map((flag) => [flag, text])),
    };
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { help: `${usage}\n\n${command.about}` };
    const operands = positionals.slice(command.name.split(" ").length);
    const texts = Object.fromEntries(Object.entries(values).filter(([name]) => command.texts.includes(name)));
    const typed = { operands, flags: new Set(Object.keys(values)), texts: texts as Record<string, string> };
    return { run: command.bind(typed), isJson: values.json === true };
  } catch (failure) {
    const why = failure instanceof z.ZodError ? sentenceOf(failure) : (failure as Error).message;
    return { error: `${why}\n${usage}` };
  }
}

/** A message about the number of arguments, of zod or of svc's own texts, which a process of svc sets; not a command's own. */
const COUNT_TEXT = /^(Too (small|big)|expected at (least|most) \d+ entr)/;

/** The first validation error of the arguments; a wrong number of arguments gets its own sentence here. */
function sentenceOf({ issues: [first] }: z.ZodError): string {
  const isCount = first?.path.length === 0 && COUNT_TEXT.test(first.message);
  if (!isCount) return first?.message ?? "The arguments are invalid.";
  return first.code === "too_small" ? "An argument is missing." : "Too many arguments.";
}
