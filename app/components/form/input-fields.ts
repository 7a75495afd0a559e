import { amountOf } from "../../format/money";
import { FieldError } from "../../trpc/failure";
import { secondsIn } from "./durations";
import type { FieldSchema } from "./field-schema";
import { linesIn, microsIn, numberIn, rawTextIn, textIn } from "./read-fields";

export type Control =
  | "text"
  | "area"
  | "code"
  | "password"
  | "number"
  | "money"
  | "duration"
  | "flag"
  | "choice"
  | "lines";

/** How a field is shown and read: by its schema, and by the unit that its name ends with. */
export function controlOf(name: string, { type, enum: choices }: FieldSchema): Control {
  if (choices) return "choice";
  if (type === "boolean") return "flag";
  if (type === "array") return "lines";
  if (type !== "integer" && type !== "number") return "text";
  if (name.endsWith("_micros")) return "money";
  return /_(s|seconds)$/.test(name) ? "duration" : "number";
}

const CAPITALS = new Set(["api", "cpu", "dlq", "gpu", "id", "ip", "ttl", "url"]);

/** The label of a field without one of its own: `idle_timeout_seconds` is "Idle timeout". */
export function labelOf(name: string, { title }: FieldSchema): string {
  if (title !== undefined) return title;
  const words = name.replace(/_(s|ms|seconds|micros|mb|gb|at|id)$/, "").split(/[_.]/);
  const text = words.map((word) => (CAPITALS.has(word) ? word.toUpperCase() : word)).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a form can show the field without being told how. */
export const isPlain = ({ type, enum: choices, items, format }: FieldSchema): boolean =>
  choices !== undefined ||
  (type === "array" ? items !== undefined : type !== undefined && type !== "object" && format !== "date-time");

/** A value as the text of its field. */
export function textOf(value: unknown, control: Control): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.join("\n");
  return control === "money" ? amountOf(Number(value)) : String(value);
}

interface Read {
  name: string;
  schema: FieldSchema;
  control: Control;
  /** An empty field is sent: the input requires it, or it changes what exists. */
  isSent: boolean;
}

/** What the field of a form sends; undefined: nothing, so that the default applies. Throws a FieldError. */
export function inputIn(fields: FormData, { name, schema, control, isSent }: Read): unknown {
  if (control === "flag") return fields.has(name);
  const text = textIn(fields, name);
  if (text === "") return isSent ? emptyOf({ name, schema, control }) : undefined;
  if (control === "money") return microsIn(fields, name);
  if (control === "duration") return secondsIn(fields, name, schema.maximum);
  if (control === "number") return numberIn(fields, name);
  if (control === "lines") return linesIn(fields, name);
  return control === "code" || control === "password" ? rawTextIn(fields, name) : text;
}

function emptyOf({ name, schema, control }: Omit<Read, "isSent">): unknown {
  if (schema.nullable) return null;
  if (control === "lines") return [];
  if (control === "money" || control === "duration" || control === "number") {
    throw new FieldError(name, "Fill in this field.");
  }
  // The server says what is missing, together with what it says about the other fields.
  return "";
}
