import type { ReactNode } from "react";
import { amountOf } from "../../format/money";
import { FieldError } from "../../trpc/failure";
import { secondsIn } from "./durations";
import type { FieldSchema, InputSchema } from "./field-schema";
import { labelOf } from "./labels";
import { linesIn, microsIn, numberIn, rawTextIn, textIn } from "./read-fields";

export type Control =
  | "text"
  /** What programs refer to: no word for a spell check. */
  | "identifier"
  | "area"
  | "code"
  | "password"
  | "day"
  | "number"
  | "money"
  | "duration"
  | "flag"
  | "choice"
  | "lines"
  /** The project of what the form creates, where there is a choice. */
  | "project";

/** What a page says of a field beyond its schema. */
export interface FieldOptions<Value = unknown> {
  /** Default: the name in words. */
  label?: string;
  /** Default: the description of the schema; null: none. */
  hint?: ReactNode;
  placeholder?: string;
  /** The texts of choices, by value: only these are offered. */
  choices?: Readonly<Record<string, string>>;
  /** What it begins with, instead of what exists or the default of the schema. */
  value?: unknown;
  /** Default: by the schema. */
  as?: Control;
  rows?: number;
  /** Characters; default: those of the schema. */
  maxLength?: number;
  /** Default: it is if the input does not require it and it begins empty, or if it can be null or is a list. */
  optional?: boolean;
  /** Two of them are beside each other. */
  isHalf?: boolean;
  onChange?: (value: string) => void;
  /** A field of its own; default: one by the schema. */
  render?: () => ReactNode;
  /** Reads it; undefined: it is not sent. May throw a FieldError. */
  read?: (fields: FormData) => Value | undefined;
}

export interface FormField {
  name: string;
  schema: FieldSchema;
  options: FieldOptions;
  control: Control;
  label: string;
  /** What it begins with. */
  value: unknown;
  isOptional: boolean;
  /** The form changes what exists: an empty field clears its value. */
  isChange: boolean;
}

interface Form {
  input: InputSchema;
  /** In the order of the form. */
  fields: Readonly<Record<string, FieldOptions>>;
  /** What exists already, for a form that changes it. */
  values?: Readonly<Record<string, unknown>> | undefined;
}

/** The fields of a form, with what their schemas and the page say of them. */
export const formFields = ({ input, fields, values }: Form): FormField[] =>
  Object.entries(fields).map(([name, options]) => {
    const schema = input.properties[name] ?? {};
    const value = options.value ?? values?.[name] ?? schema.default;
    const isList = schema.type === "array";
    const isRequired = input.required?.includes(name) ?? false;
    const control = options.as ?? controlOf(name, schema);
    // One of the choices is always chosen.
    const canBeEmpty = control !== "choice" && (schema.nullable || (!isRequired && (isList || isEmpty(value))));
    const isOptional = options.optional ?? canBeEmpty;
    return {
      name,
      schema,
      options,
      control,
      label: options.label ?? labelOf(name),
      value,
      isOptional,
      isChange: values !== undefined,
    };
  });

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";

/** How a field is shown and read: by its schema, and by the unit that its name ends with. */
function controlOf(name: string, { type, enum: choices, identifier, format }: FieldSchema): Control {
  if (name === "project") return "project";
  if (choices) return "choice";
  if (type === "boolean") return "flag";
  if (type === "array") return "lines";
  if (identifier || format === "uri") return "identifier";
  if (type !== "integer" && type !== "number") return "text";
  if (name.endsWith("_micros")) return "money";
  return /_(s|seconds)$/.test(name) ? "duration" : "number";
}

/** A value as the text of its field. */
export function textOf(value: unknown, control: Control): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.join("\n");
  return control === "money" ? amountOf(Number(value)) : String(value);
}

/** What the fields of a form send, by name. Throws a FieldError with all that cannot be read. */
export function inputIn(form: FormData, fields: readonly FormField[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const field of fields) {
    try {
      const value = field.options.read ? field.options.read(form) : valueIn(form, field);
      if (value !== undefined) input[field.name] = value;
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      errors.push(error);
    }
  }
  const [first, ...others] = errors;
  if (first) throw new FieldError(first.param, first.message, others);
  return input;
}

function valueIn(form: FormData, field: FormField): unknown {
  const { name, control, schema } = field;
  if (control === "flag") return form.has(name);
  // Spaces belong to a password and to code.
  const text = control === "code" || control === "password" ? rawTextIn(form, name) : textIn(form, name);
  if (text === "") return emptyOf(field);
  if (control === "money") return microsIn(form, name);
  if (control === "duration") return secondsIn(form, name, schema);
  if (control === "number") return numberIn(form, name);
  if (control === "lines") return linesIn(form, name);
  return text;
}

function emptyOf({ name, schema, control, isOptional, isChange }: FormField): unknown {
  // Without a choice there is no field.
  if (control === "project") return undefined;
  if (schema.nullable) return null;
  if (!isOptional) throw new FieldError(name, "Fill in this field.");
  if (!isChange) return undefined;
  return control === "lines" ? [] : "";
}
