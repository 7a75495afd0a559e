import { COMMANDS } from "../generated/commands";
import { OPERATIONS } from "../generated/operations";
import type { Operation } from "../operation";
import type { CommandSyntax, Field } from "./command-syntax";
import { OWN_COMMANDS } from "./own-commands";

export type { CommandSyntax, Field } from "./command-syntax";

/** An operation's metadata for the command line. */
export interface Command {
  operation: keyof typeof OPERATIONS;
  summary: string;
  scope?: string;
  /** Media types of an uploaded file. */
  upload?: readonly string[];
  fields: readonly Field[];
  /** The response fields that the table shows, in order. */
  columns: readonly string[];
}

export interface NamedCommand extends Command, CommandSyntax {
  call: Operation;
}

/** `channelKeys` and `daily_budget_micros` in kebab case. */
export const kebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

/** Fields whose names are those of flags that every command has. */
const RENAMED: Readonly<Record<string, string>> = { base_url: "upstream-url" };

/** The flag of a field, without the hyphens before it. */
export const flagName = (field: string): string => RENAMED[field] ?? kebabCase(field);

const isOwn = ({ noun, verb }: Pick<CommandSyntax, "noun" | "verb">): boolean =>
  OWN_COMMANDS.some((own) => own.noun === noun && own.verb === verb);

/** One command per operation, in the order of the help, except those that a program of the same name replaces. */
export const commands: readonly NamedCommand[] = COMMANDS.map((command) => {
  const call: Operation = OPERATIONS[command.operation];
  return { ...command, call, noun: kebabCase(call.noun), verb: kebabCase(call.verb) };
}).filter((command) => !isOwn(command));

const allCommands: readonly (NamedCommand | CommandSyntax)[] = [...commands, ...OWN_COMMANDS];

export const nouns: readonly string[] = [...new Set(allCommands.map(({ noun }) => noun))];

export const commandsOf = (noun: string): (NamedCommand | CommandSyntax)[] =>
  allCommands.filter((one) => one.noun === noun);

export const positionals = ({ fields }: Pick<Command, "fields">): Field[] =>
  fields.filter((field) => field.in === "path");

/** The name that a command may take as an argument instead of `--name`: of what it creates, or one that it needs. */
export const nameOf = ({ call, verb, fields }: CommandSyntax): Field | undefined =>
  call && fields.find((field) => field.name === "name" && field.in === "body" && (field.required || verb === "create"));

/** A label for a path parameter: `{id}` in `/v1/keys/{id}/rotate` is a `key-id`, `{q}` in `/v1/queues/{q}` a `queue`. */
export function labelOf({ call }: CommandSyntax, { name }: Field): string {
  if (!call || (name !== "id" && name.length > 1)) return kebabCase(name);
  const before = call.path.split(`/{${name}}`)[0]?.split("/").at(-1) ?? "";
  return before.replace(/s$/, "") + (name === "id" ? "-id" : "");
}
