import { COMMANDS } from "../generated/commands";
import { OPERATIONS } from "../generated/operations";
import type { Operation } from "../operation";

/** One field of a command's input. */
export interface Field {
  name: string;
  in: "path" | "query" | "body";
  /** `list` is comma-separated words; `object` and `objects` are JSON. */
  kind: "string" | "integer" | "number" | "boolean" | "list" | "object" | "objects";
  required?: boolean;
  nullable?: boolean;
  /** As JSON Schema names it: `date-time`. */
  format?: string;
  values?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
  example?: unknown;
}

/** What the command line knows about an operation beside how it is called. */
export interface Command {
  operation: keyof typeof OPERATIONS;
  summary: string;
  scope?: string;
  /** Media types of a streamed file. */
  upload?: readonly string[];
  fields: readonly Field[];
  /** Fields of the answer that fit into a table, in their order. */
  columns: readonly string[];
}

export interface NamedCommand extends Command {
  noun: string;
  verb: string;
  call: Operation;
}

/** `channelKeys` and `daily_budget_micros` as they are typed: with hyphens. */
export const typed = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

/** Every command, in the order of the help: one for each operation. */
export const commands: readonly NamedCommand[] = COMMANDS.map((command) => {
  const call: Operation = OPERATIONS[command.operation];
  return { ...command, call, noun: typed(call.noun), verb: call.verb };
});

export const nouns: readonly string[] = [...new Set(commands.map(({ noun }) => noun))];

export const commandsOf = (noun: string): NamedCommand[] => commands.filter((one) => one.noun === noun);

export const positionals = ({ fields }: Command): Field[] => fields.filter((field) => field.in === "path");

/** `{id}` in `/v1/keys/{id}/rotate` is the id of a key. */
export function labelOf(command: NamedCommand, { name }: Field): string {
  if (name !== "id") return typed(name);
  const before = command.call.path.split(`/{${name}}`)[0]?.split("/").at(-1) ?? "";
  return `${before.replace(/s$/, "")}-id`;
}
