import { rawTextIn, textIn } from "../../../components/form/read-fields";
import { FieldError } from "../../../trpc/failure";
import type { ArgumentSchema, Tool } from "./call-endpoint";

/** The arguments that a form of `tool` has; empty fields are left out. Throws a FieldError for a text of another type. */
export function readToolArguments({ inputSchema }: Tool, fields: FormData): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(inputSchema.properties)) {
    const text = textIn(fields, name);
    if (text === "") {
      if (inputSchema.required?.includes(name)) throw new FieldError(name, "Enter a value: this argument is required.");
    } else given[name] = typedValue(schema, { name, text, raw: rawTextIn(fields, name) });
  }
  return given;
}

function typedValue(
  { type }: ArgumentSchema,
  { name, text, raw }: { name: string; text: string; raw: string },
): unknown {
  if (type === "boolean") return text === "true";
  if (type === "string") return raw;
  if (type === "integer" || type === "number") {
    const number = Number(text);
    if (Number.isFinite(number)) return number;
    throw new FieldError(name, "Enter a number.");
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (type === undefined) return raw;
    throw new FieldError(
      name,
      type === "array" ? 'Enter a JSON list, such as ["a", "b"].' : 'Enter a JSON object, such as {"a": 1}.',
    );
  }
}
