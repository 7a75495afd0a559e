interface Schema {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
  anyOf?: unknown;
  items?: unknown;
  format?: unknown;
  description?: unknown;
  properties?: unknown;
  required?: unknown;
}

export interface SchemaField {
  name: string;
  /** Its type, whether it may be missing, and what it means. */
  text: string;
}

/** The fields of an object's JSON schema, in words. */
export function fieldsOf(schema: Readonly<Record<string, unknown>>): SchemaField[] {
  const { properties, required } = schema as Schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, field]) => {
    const optional = needed.has(name) ? "" : ", may be absent";
    const meaning = typeof field.description === "string" ? `. ${field.description}` : "";
    return { name, text: `${typeOf(field)}${optional}${meaning}` };
  });
}

/** "text", "time or null", "list of text", "test or live". */
function typeOf(schema: Schema): string {
  const { type, anyOf, items, format } = schema;
  if (schema.const !== undefined) return String(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(" or ");
  if (Array.isArray(anyOf)) return [...new Set((anyOf as Schema[]).map(typeOf))].join(" or ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(" or ");
  if (type === "array") return `list of ${items ? typeOf(items as Schema) : "values"}`;
  if (type === "string") return format === "date-time" ? "time (RFC 3339)" : "string";
  return typeof type === "string" ? type : "any JSON value";
}
