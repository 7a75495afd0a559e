const DEPTH_MAX = 12;
/** Of the whole example. */
const VALUES_MAX = 2000;
const ENTRIES_MAX = 20;
const FIELDS_MAX = 200;

interface Schema {
  type?: unknown;
  const?: unknown;
  enum?: unknown;
  default?: unknown;
  examples?: unknown;
  properties?: unknown;
  items?: unknown;
  minItems?: unknown;
  minimum?: unknown;
  minLength?: unknown;
  format?: unknown;
  anyOf?: unknown;
  oneOf?: unknown;
  allOf?: unknown;
}

const TEXTS: Readonly<Record<string, string>> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  time: "00:00:00Z",
  email: "ada@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/**
 * A value that a JSON schema accepts, as far as it uses types, enums, bounds and combinations; always the same for the
 * same schema. `$ref` gives an empty object.
 */
export const schemaExample = (schema: unknown): unknown => exampleOf(schema, { depth: 0, count: { left: VALUES_MAX } });

interface Place {
  depth: number;
  /** Shared by all values of an example. */
  count: { left: number };
}

const below = ({ depth, count }: Place): Place => ({ depth: depth + 1, count });

function exampleOf(schema: unknown, place: Place): unknown {
  if (typeof schema !== "object" || schema === null) return {};
  if (place.depth > DEPTH_MAX || --place.count.left < 0) return {};
  const given = schema as Schema;
  if (given.const !== undefined) return given.const;
  for (const list of [given.enum, given.examples]) if (Array.isArray(list) && list.length > 0) return list[0];
  if (given.default !== undefined) return given.default;
  for (const list of [given.anyOf, given.oneOf, given.allOf]) {
    if (Array.isArray(list) && list.length > 0) return exampleOf(list[0], below(place));
  }
  return typedExample(given, place);
}

function typedExample(schema: Schema, place: Place): unknown {
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return textExample(schema);
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return listExample(schema, place);
    default:
      return objectExample(schema, place);
  }
}

function textExample({ format, minLength }: Schema): string {
  const text = (typeof format === "string" ? TEXTS[format] : undefined) ?? "text";
  return typeof minLength === "number" ? text.padEnd(Math.min(minLength, 1000), "x") : text;
}

function listExample({ items, minItems }: Schema, place: Place): unknown[] {
  const length = typeof minItems === "number" ? Math.min(Math.max(minItems, 1), ENTRIES_MAX) : 1;
  return Array.from({ length: items === undefined || place.depth >= DEPTH_MAX ? 0 : length }, () =>
    exampleOf(items, below(place)),
  );
}

const objectExample = ({ properties }: Schema, place: Place): object =>
  Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, unknown>)
      .slice(0, FIELDS_MAX)
      .map(([name, schema]) => [name, exampleOf(schema, below(place))]),
  );
