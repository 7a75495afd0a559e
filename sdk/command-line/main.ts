import { VERSION } from "../version";
import { type CommandSyntax, commandsOf, type NamedCommand, nouns } from "./command";
import { printCandidates, printCompletion } from "./completion";
import { EXIT, report, UsageError } from "./errors";
import type { Io } from "./io";
import { LOGIN_USAGE, logIn, logOut, whoAmI } from "./log-in";
import { runCommand } from "./run-command";
import { runOwnCommand } from "./run-own-command";
import { suggestion } from "./suggestion";
import { BUILT_IN, nounUsage, overview } from "./usage";

export type { Io, Output } from "./io";

/** What users of other command lines type. */
const ALIASES: Readonly<Record<string, string>> = { ls: "list", rm: "delete" };
const HELP = new Set(["--help", "-h", "help"]);

/**
 * The command line: runs the arguments of `svc` and returns the exit status: 0 success, 1 rejected by the API, 2 wrong usage, 3 not logged in, 4 svc unreachable or failed, 5 rate limited or a quota is exhausted.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (failure) {
    const end = argv.indexOf("--");
    return report(failure, io, argv.slice(0, end === -1 ? undefined : end).includes("--json"));
  }
}

async function dispatch([first = "--help", ...rest]: readonly string[], io: Io): Promise<number> {
  const wantsHelp = rest.some((word) => word === "--help" || word === "-h");
  if (HELP.has(first)) return print(io, overview());
  if (first === "--version") return print(io, `${VERSION}\n`);
  if (first === "login") return wantsHelp ? print(io, LOGIN_USAGE) : logIn(rest, io);
  if (first === "completion" && !wantsHelp) return printCompletion(rest, io);
  if (first === "__complete") return printCandidates(rest, io);
  if (Object.hasOwn(BUILT_IN, first) && wantsHelp) return print(io, `Usage: svc ${first}\n\n${BUILT_IN[first]}.\n`);
  if (first === "whoami") return whoAmI(rest, io);
  if (first === "logout") {
    if (rest.length > 0) throw new UsageError("svc logout takes no arguments.");
    return logOut(io);
  }
  if (first === "admin" || first === "db") {
    throw new UsageError(`svc ${first} runs where the server is installed: npm run svc -- ${first} --help`);
  }
  return dispatchNoun(first, rest, io);
}

async function dispatchNoun(noun: string, [verb, ...rest]: readonly string[], io: Io): Promise<number> {
  const found = commandsOf(noun);
  if (found.length === 0) {
    const known = [...nouns, ...Object.keys(BUILT_IN)];
    throw new UsageError(`Unknown command "${noun}"${suggestion(noun, known)}`, "See svc --help.");
  }
  const alone = found.find((one) => one.verb === "");
  if (alone) return runOwnCommand(alone, verb === undefined ? [] : [verb, ...rest], io);
  if (verb === undefined || HELP.has(verb)) return print(io, nounUsage(noun));
  const command = found.find((one) => one.verb === verb) ?? found.find((one) => one.verb === ALIASES[verb]);
  if (command) return isOperation(command) ? runCommand(command, rest, io) : runOwnCommand(command, rest, io);
  const verbs = found.map((one) => one.verb);
  throw new UsageError(`Unknown command "${noun} ${verb}"${suggestion(verb, verbs)}`, `See svc ${noun} --help.`);
}

const isOperation = (command: NamedCommand | CommandSyntax): command is NamedCommand => "operation" in command;

function print({ stdout }: Io, text: string): number {
  stdout.write(text);
  return EXIT.ok;
}
