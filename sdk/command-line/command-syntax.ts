import type { Operation } from "../operation";

/** One field of a command's input. */
export interface Field {
  name: string;
  in: "path" | "query" | "body";
  /** `list` is comma-separated or JSON; `object` and `objects` are JSON; `text` is a JSON object or any other text. */
  kind: "string" | "integer" | "number" | "boolean" | "list" | "object" | "objects" | "text";
  /** What a `list` is of, if not of strings. */
  items?: "integer";
  required?: boolean;
  /** A positional argument that is not an ID but a path, an address or words. */
  anyText?: true;
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

/** A flag that is not a field of the API. */
export interface Flag {
  name: string;
  kind: Field["kind"];
  minimum?: number;
  maximum?: number;
  description: string;
}

/** What the help, the completion and the reader of arguments need. */
export interface CommandSyntax {
  noun: string;
  verb: string;
  summary: string;
  scope?: string;
  /** Media types of an uploaded file. */
  upload?: readonly string[];
  fields: readonly Field[];
  /** Without one, the command is not an operation, but a program that calls several. */
  call?: Operation;
  /** The flags of such a program, instead of those of operations. */
  flags?: readonly Flag[];
  /** Paragraphs of its help. */
  details?: readonly string[];
  example?: string;
  /** It runs another program, whose command line follows `--`, or by default a program of its own. */
  runsProgram?: true | "optional";
}
