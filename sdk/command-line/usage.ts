import { type CommandSyntax, commandsOf, type Field, flagName, labelOf, nameOf, nouns, positionals } from "./command";
import { flagsOf } from "./flags";
import { wrapText } from "./terminal-text";
import { expectedOf } from "./typed-values";

const WIDTH = 100;
const PROGRAM_LABEL = "-- <command> [arguments]";

export const BUILT_IN: Readonly<Record<string, string>> = {
  login: "Log in with email and password, or --key, and store a key",
  logout: "Revoke the key that login created and delete it here",
  whoami: "Show the key's tenant and server",
  completion: "Print a script for bash, zsh or fish: svc completion bash",
  help: "This text",
};

/** `svc --help`. */
export function overview(): string {
  const groups = nouns.map((noun) => [noun, verbsOf(noun)] as const);
  return `svc: the command line of the svc platform

Usage: svc <noun> <verb> [arguments] [--flags]
       svc <noun> --help, svc <noun> <verb> --help

${rowsOf(groups)}

${rowsOf(Object.entries(BUILT_IN))}

ls is short for list, and rm for delete. Times may have a unit: --retention 4d for --retention-s 345600.

Environment
${rowsOf([
  ["SVC_API_KEY", "The platform key to use; overrides svc login"],
  ["SVC_BASE_URL", "The URL of svc; overrides svc login"],
  ["SVC_CHAT_MODEL", "The model that svc chat uses without --model"],
  ["SVC_CHANNEL_KEY", "The channel key for commands that serve offers"],
  ["NO_COLOR", "No bold text, even in a terminal"],
])}

Exit status: 0 success, 1 rejected, 2 wrong usage, 3 not logged in, 4 svc unreachable or failed,
5 rate limited or a quota is exhausted, 130 interrupted (storage, chat, pods).
exec, pods shell, workspaces shell and sandboxes run end with the status of their program.
`;
}

/** The verbs of a noun, or what the noun does on its own. */
const verbsOf = (noun: string): string =>
  commandsOf(noun)
    .map(({ verb, summary }) => verb || summary)
    .join(", ");

/** `svc keys --help`. */
export function nounUsage(noun: string): string {
  const lines = commandsOf(noun).map((command) => [lineOf(command), command.summary] as const);
  return `Usage: svc ${noun} <verb>\n\n${rowsOf(lines)}\n\nsvc ${noun} <verb> --help shows its arguments.\n`;
}

/** `svc keys create --help`. */
export function commandUsage(command: CommandSyntax): string {
  const fields = command.fields.filter((field) => field.in !== "path");
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  const scope = command.scope ? ` Needs the scope ${command.scope}.` : "";
  const part = (title: string, rows: string): string => (rows === "" ? "" : `\n${title}\n${rows}\n`);
  return [
    `${command.summary}.${scope}\n\nUsage: svc ${lineOf(command)}\n`,
    ...(command.details ?? []).map((paragraph) => `\n${wrapText(paragraph, WIDTH).join("\n")}\n`),
    part("Required", rowsOf(required.map(rowOf))),
    part("Optional", rowsOf(optional.map(rowOf))),
    part("Flags", rowsOf(flagsOf(command).map(({ name, description }) => [`--${name}`, description]))),
    `\nExample\n  ${exampleOf(command)}\n`,
  ].join("");
}

function lineOf(command: CommandSyntax): string {
  const name = nameOf(command);
  const words = positionals(command).map((field) => placeOf(command, field));
  if (name) words.push(name.required ? "<name>" : "[name]");
  const required = command.fields.filter((field) => field.in !== "path" && field.required && field !== name);
  const flags = required.map(({ name }) => `--${flagName(name)} …`);
  const rest = [...(command.upload ? ["<file>"] : []), ...flags, ...programLabel(command)];
  return [command.noun, command.verb, ...words, ...rest].filter((word) => word !== "").join(" ");
}

const programLabel = ({ runsProgram }: CommandSyntax): string[] =>
  runsProgram ? [runsProgram === "optional" ? `[${PROGRAM_LABEL}]` : PROGRAM_LABEL] : [];

/** What is an ID is always required. */
const placeOf = (command: CommandSyntax, field: Field): string =>
  field.anyText && !field.required ? `[${labelOf(command, field)}]` : `<${labelOf(command, field)}>`;

function rowOf(field: Field): [string, string] {
  const { name, description, nullable } = field;
  const given = field.default === undefined || field.default === "" ? "" : ` Default ${field.default}.`;
  const own = description ? `${description.replaceAll("`", "").replace(/[.]?$/, ".")} ` : "";
  const expected = expectedOf(field) + (nullable ? ", or null" : "");
  // After a description, "a string" adds nothing.
  const shape = own && expected === "a string" ? "" : `${expected.replace(/^./, (first) => first.toUpperCase())}.`;
  return [`--${flagName(name)}`, (own + shape + given).trim()];
}

/** Names and what they are, side by side. */
function rowsOf(rows: readonly (readonly [string, string])[]): string {
  const room = Math.min(34, Math.max(0, ...rows.map(([name]) => name.length)));
  return rows
    .flatMap(([name, words]) => {
      const [first = "", ...more] = wrapText(words, WIDTH - room - 4);
      const lines =
        name.length > room ? [`  ${name}`, `  ${" ".repeat(room)}  ${first}`] : [`  ${name.padEnd(room)}  ${first}`];
      return [...lines, ...more.map((line) => `  ${" ".repeat(room)}  ${line}`)];
    })
    .join("\n");
}

/** A line that can be typed once the ids are one's own. */
export function exampleOf(command: CommandSyntax & { operation?: string }): string {
  if (command.example !== undefined) return command.example;
  if (command.operation === "createKey") return "svc keys create ci --project p --scopes pods:read,pods:write";
  const words = positionals(command).map((field) => labelOf(command, field).toUpperCase().replaceAll("-", "_"));
  const name = nameOf(command);
  const required = command.fields.filter((field) => field.in !== "path" && field.required);
  const flags = required
    .filter((field) => field !== name)
    .map((field) => `--${flagName(field.name)} ${sampleOf(field)}`);
  if (name?.required) words.push(sampleOf(name));
  return ["svc", command.noun, command.verb, ...words, ...(command.upload ? ["feed.csv"] : []), ...flags].join(" ");
}

function sampleOf({ kind, values, minimum, example, name }: Field): string {
  if (typeof example === "string") return /^[\w.:/@,-]+$/.test(example) ? example : `'${example}'`;
  if (Array.isArray(example) && kind === "list") return example.join(",");
  if (kind === "object" || kind === "text") return `@${flagName(name)}.json`;
  if (kind === "objects") return `@${flagName(name)}.json`;
  if (values) return String(values[0]);
  if (kind === "integer" || kind === "number")
    return String(Math.max(minimum ?? 1, name.endsWith("_micros") ? 500_000 : 1));
  if (kind === "boolean") return "";
  return kind === "list"
    ? "a,b"
    : name.endsWith("_id")
      ? name.toUpperCase()
      : name.endsWith("url")
        ? "https://shop.example/"
        : `"My ${name}"`;
}
