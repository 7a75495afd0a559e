import { parseArgs } from "node:util";
import { type CommandSyntax, type Field, flagName, labelOf, nameOf, positionals } from "./command";
import { UsageError } from "./errors";
import { flagsOf } from "./flags";
import { suggestion } from "./suggestion";
import { expectedOf, readValue } from "./typed-values";

export interface Arguments {
  input: Record<string, unknown>;
  /** Values of the flags that are not API fields. */
  flags: Record<string, unknown>;
  /** The file of an upload. */
  file: string | undefined;
  /** The words after `--`, for a command that runs a program. */
  program: readonly string[];
}

/** Parses the arguments of a command. @throws UsageError that names every invalid field. */
export function readArguments(command: CommandSyntax, argv: readonly string[]): Arguments {
  const [own, program] = command.runsProgram ? splitProgram(argv) : [argv, []];
  const flags = flagsOf(command);
  const fields = command.fields.map((field) => ({ ...field, wireName: field.name, name: flagName(field.name) }));
  const { values, words, problems } = parseTokens(own, [...fields, ...flags], aliasesOf(command));
  const reader = valueReader(values, problems);
  const read: Arguments = {
    flags: reader(flags.map((flag) => ({ ...flag, wireName: flag.name }))),
    input: reader(fields),
    file: undefined,
    program,
  };
  read.input = { ...(read.flags.data as object | undefined), ...read.input };
  for (const { name } of positionals(command)) {
    if (read.input[name] === undefined && words.length > 0) read.input[name] = words.shift();
  }
  if (nameOf(command) && !values.has("name") && words.length > 0) read.input.name = words.shift();
  if (command.upload) read.file = words.shift();
  if (read.flags.help) return read;
  // The value of an unknown flag looks like an argument.
  const tooMany = problems.length > 0 ? [] : words;
  problems.push(...tooMany.map((word) => `"${word}" is an unexpected argument; ${adviceFor(command)}.`));
  const ids = positionals(command).filter(({ anyText }) => !anyText);
  const noIds = ids.filter(({ name }) => ["", ".", ".."].includes(String(read.input[name])));
  problems.push(
    ...noIds.map((field) => `<${labelOf(command, field)}> must be an id, not "${read.input[field.name]}".`),
  );
  const all = [...problems, ...missing(command, read, values)];
  if (all.length > 0)
    throw new UsageError(all, `See ${["svc", command.noun, command.verb].filter(Boolean).join(" ")} --help.`);
  return read;
}

/** Reads flag values under their wire names, and collects errors. */
const valueReader =
  (values: ReadonlyMap<string, string[]>, problems: string[]) =>
  (known: readonly (KnownFlag & { wireName: string })[]): Record<string, unknown> => {
    const read: Record<string, unknown> = {};
    for (const one of known) {
      const given = values.get(one.name);
      if (!given) continue;
      try {
        read[one.wireName] = readValue(one, given);
      } catch (failure) {
        problems.push(`--${one.name}: ${failure instanceof Error ? failure.message : String(failure)}`);
      }
    }
    return read;
  };

/** Flags in the singular, which read better when they are repeated. */
const SINGULAR: Readonly<Record<string, string>> = { ports: "port" };

function aliasesOf(command: CommandSyntax): Map<string, string> {
  const labels = positionals(command).map((field) => [labelOf(command, field), flagName(field.name)] as const);
  const singular = command.fields.flatMap(({ name }) => (SINGULAR[name] ? [[SINGULAR[name], name] as const] : []));
  return new Map([...labels, ...singular, ...plainDurations(command)]);
}

/** `--retention 4d` for `--retention-s`, where no other flag has the name. */
function plainDurations(command: CommandSyntax): [string, string][] {
  const taken = new Set([
    ...command.fields.map(({ name }) => flagName(name)),
    ...flagsOf(command).map((one) => one.name),
  ]);
  return command.fields
    .filter(({ kind }) => kind === "integer")
    .map(({ name }): [string, string] => [flagName(name).replace(/-(?:s|seconds)$/, ""), flagName(name)])
    .filter(([plain, name]) => plain !== name && !taken.has(plain));
}

const adviceFor = ({ runsProgram }: CommandSyntax): string =>
  runsProgram ? "write the program to run after --" : "write --flag=value for a flag's value";

/** The words before and after the first `--`. */
function splitProgram(argv: readonly string[]): [own: readonly string[], program: readonly string[]] {
  const at = argv.indexOf("--");
  return at === -1 ? [argv, []] : [argv.slice(0, at), argv.slice(at + 1)];
}

function missing(
  command: CommandSyntax,
  { input, file, program }: Arguments,
  given: ReadonlyMap<string, string[]>,
): string[] {
  const fields = command.fields.filter(
    ({ name, required }) => required && input[name] === undefined && !given.has(flagName(name)),
  );
  const lacks = fields.map((field) =>
    field.in === "path"
      ? `<${labelOf(command, field)}> is missing.`
      : `--${flagName(field.name)} is missing: it must be ${expectedOf(field)}.`,
  );
  if (command.runsProgram === true && program.length === 0)
    lacks.push("<command> is missing: write the program to run after --.");
  return command.upload && file === undefined ? [...lacks, "<file> is missing; - reads standard input."] : lacks;
}

interface KnownFlag {
  name: string;
  kind: Field["kind"];
}

/** The words and flags of a command line; flags may use `_` for `-`, and may be repeated. */
function parseTokens(argv: readonly string[], known: readonly KnownFlag[], aliases: ReadonlyMap<string, string>) {
  const kinds = new Map(known.map(({ name, kind }) => [name, kind]));
  for (const [alias, name] of aliases) kinds.set(alias, kinds.get(name) ?? "string");
  const spellings = [...kinds].flatMap(([name, kind]) => {
    const type = kind === "boolean" ? ("boolean" as const) : ("string" as const);
    return [[name, { type }] as const, [name.replaceAll("-", "_"), { type }] as const];
  });
  const options = { ...Object.fromEntries(spellings), h: { type: "boolean" as const } };
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const values = new Map<string, string[]>();
  const words: string[] = [];
  const problems: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = token.name === "h" ? "help" : token.name.replaceAll("_", "-");
    const isNo = !kinds.has(flag) && flag.startsWith("no-") && kinds.get(flag.slice(3)) === "boolean";
    const name = isNo ? flag.slice(3) : (aliases.get(flag) ?? flag);
    const kind = kinds.get(name);
    if (kind === undefined) problems.push(`Unknown flag --${flag}${suggestion(flag, [...kinds.keys()])}`);
    else if (token.value === undefined && kind !== "boolean") problems.push(`--${flag} needs a value: --${flag}=…`);
    else values.set(name, [...(values.get(name) ?? []), isNo ? "false" : (token.value ?? "true")]);
  }
  return { values, words, problems };
}
