/** As much of JSON Schema as the documents of svc use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  description?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  examples?: unknown[];
}

/** A schema as a type of TypeScript. */
export function typeOf(schema: Schema, indent = ""): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map((one) => typeOf(one, indent)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one, indent)})`).join(" & ");
  if (schema.type === undefined) return "unknown";
  return [schema.type]
    .flat()
    .map((type) => plainTypeOf(type, schema, indent))
    .join(" | ");
}

function plainTypeOf(type: string, schema: Schema, indent: string): string {
  if (type === "integer") return "number";
  if (type === "array") {
    const item = typeOf(schema.items ?? {}, indent);
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  return type === "object" ? objectOf(schema, indent) : type;
}

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties) {
    const value = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
    return `Record<string, ${value}>`;
  }
  const names = new Set(required);
  const lines = Object.entries(properties).map(([name, schema]) =>
    lineOf({ name, schema, required: names.has(name) }, `${indent}  `),
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

export interface Property {
  name: string;
  schema: Schema;
  required: boolean;
}

/** One property, under its description. */
export function lineOf({ name, schema, required }: Property, indent = "  "): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  const words = schema.description ? `${indent}/** ${schema.description.replaceAll("*/", "* /")} */\n` : "";
  const type = typeOf(schema, indent);
  return `${words}${indent}${key}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};`;
}
