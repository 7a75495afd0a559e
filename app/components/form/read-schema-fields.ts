import { FieldError } from "../../trpc/failure";
import type { FieldSchema, ObjectSchema } from "./field-schema";
import { jsonIn } from "./json-in";
import { rawTextIn, textIn } from "./read-fields";

/**
 * The object that the fields of `SchemaFields` have; empty fields are left out. Throws a FieldError for a required
 * field that is empty, and for a text of another type.
 */
export function schemaFieldsIn(
  { properties, required = [] }: ObjectSchema,
  fields: FormData,
  prefix = "",
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [property, schema] of Object.entries(properties)) {
    const name = `${prefix}${property}`;
    const text = textIn(fields, name);
    if (text === "") {
      if (required.includes(property)) throw new FieldError(name, "Enter a value: it is required.");
    } else given[property] = typedValue(schema, { name, text, raw: rawTextIn(fields, name) });
  }
  return given;
}

function typedValue({ type }: FieldSchema, { name, text, raw }: { name: string; text: string; raw: string }): unknown {
  if (type === "boolean") return text === "true";
  if (type === "string") return raw;
  if (type === "integer" || type === "number") {
    const number = Number(text);
    if (Number.isFinite(number)) return number;
    throw new FieldError(name, "Enter a number.");
  }
  try {
    return jsonIn(name, text);
  } catch (failure) {
    if (failure instanceof FieldError) throw failure;
    if (type === undefined) return raw;
    throw new FieldError(
      name,
      type === "array" ? 'Enter a JSON list, such as ["a", "b"].' : 'Enter a JSON object, such as {"a": 1}.',
    );
  }
}
