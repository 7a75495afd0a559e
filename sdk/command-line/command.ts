import { COMMANDS } from "../generated/commands";
import { OPERATIONS } from "../generated/operations";
import type { Operation } from "../operation";

/** One field of a command's input. */
export interface Field {
  name: string;
  in: "path" | "query" | "body";
  /** `list` is comma-separated; `object` and `objects` are JSON. */
  kind: "string" | "integer" | "number" | "boolean" | "list" | "object" | "objects";
  required?: boolean;
  nullable?: boolean;
  /** A JSON Schema format: `date-time`. */
  format?: string;
  values?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
  example?: unknown;
}

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

export interface NamedCommand extends Command {
  noun: string;
  verb: string;
  call: Operation;
}

/** `channelKeys` and `daily_budget_micros` in kebab case. */
export const kebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

/** One command per operation, in the order of the help. */
export const commands: readonly NamedCommand[] = COMMANDS.map((command) => {
  const call: Operation = OPERATIONS[command.operation];
  return { ...command, call, noun: kebabCase(call.noun), verb: call.verb };
});

export const nouns: readonly string[] = [...new Set(commands.map(({ noun }) => noun))];

export const commandsOf = (noun: string): NamedCommand[] => commands.filter((one) => one.noun === noun);

export const positionals = ({ fields }: Command): Field[] => fields.filter((field) => field.in === "path");

/** A label for a path parameter: `{id}` in `/v1/keys/{id}/rotate` is a `key-id`. */
export function labelOf(command: NamedCommand, { name }: Field): string {
  if (name !== "id") return kebabCase(name);
  const before = command.call.path.split(`/{${name}}`)[0]?.split("/").at(-1) ?? "";
  return `${before.replace(/s$/, "")}-id`;
}
