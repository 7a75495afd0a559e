import { z } from "zod";
import type { Scope } from "./actor";
import type { Access, AnyOperation } from "./operation";
import { type ArgumentsOf, readNotation, schemaOf } from "./tool-arguments";

/** A tool for agents: a name, and how its arguments become the input of an operation. Plain data. */
export interface Tool {
  name: string;
  /** For people, such as "Create a pod". */
  title: string;
  /** What it does and what to know before the call, for agents. */
  description: string;
  operation: AnyOperation;
  /** Who may call it: that of the operation, or the scope of the only plane that the tool is about. */
  access: Access;
  arguments: z.ZodObject;
  /** The group that an address of the endpoint can choose, such as `pods`. */
  toolset: string;
  /** Arguments that have another name than the field of the operation, by argument. */
  renamed: Readonly<Record<string, string>>;
  /** The input of the operation for arguments that match `arguments`. */
  toInput: (given: Record<string, unknown>) => Record<string, unknown>;
  /** The notation of the specification; absent: the tool is beyond the specification. */
  notation?: string;
  /** false: the operation is named as one that reads, but the tool can change something, or the reverse. */
  isReadOnly: boolean;
  /**
   * What lists say about arguments instead of the first sentence of their description, by their path, such as
   * `volumes.*.mount_path`; an empty one leaves out what they say about the argument and everything in it.
   */
  notes: Readonly<Record<string, string>>;
}

interface ToolOptions<Given> {
  /** The fields of the operation that the tool calls otherwise, by argument: `{ pod_id: "id" }`. */
  renamed?: Readonly<Record<string, string>>;
  /** Schemas of arguments that are no field of the operation, or stricter than it. */
  fields?: Readonly<Record<string, z.ZodType>>;
  /** Default: the arguments under the names of the operation. */
  toInput?: (given: Given) => Record<string, unknown>;
  /** Default: the summary of the operation. */
  title?: string;
  /** One or two sentences; default: the summary and the description of the operation, of which lists show as many. */
  description?: string;
  /** The scope of the only plane of resources that the tool is about; default: the access of the operation. */
  access?: Scope;
  /** Default: whether the operation needs a scope that only reads. */
  isReadOnly?: boolean;
  /** Default: none. */
  notes?: Readonly<Record<string, string>>;
  /** Default: from the name. */
  toolset?: string;
}

/**
 * A tool of the specification, as its name and its arguments: `tool("svc_pods_create name*:s image*:s gpu:b", createPod)`.
 * An argument has the schema of the operation's field with its name, if there is one.
 */
export function tool<const N extends string>(
  signature: N,
  operation: AnyOperation,
  options: ToolOptions<ArgumentsOf<N>> = {},
): Tool {
  const { renamed = {}, fields = {} } = options;
  const name = signature.split(" ", 1)[0] ?? "";
  const notation = signature.slice(name.length + 1);
  const known = (argument: string) => fields[argument] ?? fieldOf(operation, renamed[argument] ?? argument);
  const shape = readNotation(notation).map((field) => [field.name, schemaOf(field, known(field.name))] as const);
  return {
    ...common(name, operation, options as ToolOptions<never>),
    arguments: z.strictObject(Object.fromEntries(shape)),
    notation,
  };
}

interface ExtraOptions extends ToolOptions<Record<string, unknown>> {
  /** Fields of the operation that the tool does not have. */
  without?: readonly string[];
}

/** A tool beyond the specification, whose arguments are the input of its operation. */
export function extraTool(name: string, operation: AnyOperation, options: ExtraOptions = {}): Tool {
  const { renamed = {}, fields = {}, without = [] } = options;
  const argumentOf = new Map(Object.entries(renamed).map(([argument, field]) => [field, argument]));
  const own = Object.keys(operation.input.shape).filter((field) => !without.includes(field));
  const shape = own.map((field) => {
    const argument = argumentOf.get(field) ?? field;
    return [argument, fields[argument] ?? fieldOf(operation, field)] as const;
  });
  return {
    ...common(name, operation, options as ToolOptions<never>),
    arguments: z.strictObject(Object.fromEntries(shape) as Record<string, z.ZodType>),
  };
}

const fieldOf = ({ input }: AnyOperation, field: string): z.ZodType | undefined =>
  input.shape[field] as z.ZodType | undefined;

function common(name: string, operation: AnyOperation, options: ToolOptions<never>) {
  const { renamed = {}, title, description, toInput, isReadOnly, notes = {} } = options;
  const access: Access = options.access ?? operation.access;
  const rename = (given: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(given).map(([argument, value]) => [renamed[argument] ?? argument, value]));
  return {
    name,
    title: title ?? operation.summary,
    description: description ?? [`${operation.summary}.`, operation.description].filter(Boolean).join(" "),
    operation,
    access,
    renamed,
    toInput: (toInput as Tool["toInput"] | undefined) ?? rename,
    isReadOnly: isReadOnly ?? access.endsWith(":read"),
    notes,
    toolset: options.toolset ?? toolsetOf(name),
  };
}

/** `svc_pods_list` is in `pods`; other prefixes are toolsets themselves: `gpuc_net_list` is in `gpuc`. */
function toolsetOf(name: string): string {
  const [prefix = "", noun = ""] = name.split("_");
  return prefix === "svc" ? noun : prefix;
}
