import type { ObjectSchema } from "../../../components/form/field-schema";
import { jsonIn } from "../../../components/form/json-in";
import { textIn } from "../../../components/form/read-fields";
import { schemaFieldsIn } from "../../../components/form/read-schema-fields";
import { FieldError, failureOf } from "../../../trpc/failure";

/** Before the names of the fields of a spec, as in the errors of the API. */
export const SPEC_PREFIX = "spec.";

/** The fields that a form can show for a kind; undefined for a schema that only JSON can express. */
export function objectSchemaOf(spec: Readonly<Record<string, unknown>>): ObjectSchema | undefined {
  return typeof spec.properties === "object" ? (spec as unknown as ObjectSchema) : undefined;
}

/** The spec of a form, from its field `spec` with JSON or from its fields. Throws a FieldError. */
export function specIn(fields: FormData, schema: ObjectSchema | undefined): Record<string, JsonValue> {
  const spec =
    fields.has("spec") || !schema ? specOf(textIn(fields, "spec")) : schemaFieldsIn(schema, fields, SPEC_PREFIX);
  return spec as Record<string, JsonValue>;
}

type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

function specOf(text: string): unknown {
  const value = parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new FieldError("spec", 'Enter a JSON object, such as {"running": true}.');
}

function parsed(text: string): unknown {
  try {
    return jsonIn("spec", text || "{}");
  } catch (failure) {
    if (failure instanceof FieldError) throw failure;
    return undefined;
  }
}

/** What the fields have so far, for the JSON that takes their place; a field that cannot be read is left out. */
export function draftIn(fields: FormData, schema: ObjectSchema): Record<string, unknown> {
  const entries = Object.entries(schema.properties).flatMap(([name, field]) => {
    try {
      return Object.entries(schemaFieldsIn({ properties: { [name]: field } }, fields, SPEC_PREFIX));
    } catch {
      return [];
    }
  });
  return Object.fromEntries(entries);
}

/** An error about a part of the spec as one of the field `spec`, whose text says which part. */
export function errorOfJson(error: unknown): unknown {
  const part = error ? failureOf(error).fields.find(({ param }) => param.startsWith(SPEC_PREFIX)) : undefined;
  return part ? new FieldError("spec", `${part.param.slice(SPEC_PREFIX.length)}: ${part.message}`) : error;
}
