import type { z } from "zod";

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** How a row stores a value of the wire: texts also as dates, numbers also as bigints. */
type Stored<Value> =
  | Value
  | (string extends Extract<Value, string> ? Date : never)
  | (number extends Extract<Value, number> ? bigint : never);

/** A row that has the fields of a record under the same names in camelCase. */
type RowOf<Wire> = { readonly [Name in keyof Wire & string as CamelCase<Name>]: Stored<Wire[Name]> };

/**
 * Returns the record of a row in the form of its schema: the fields of `own`, and all others from the field of the row with
 * the same name in camelCase; dates as ISO 8601, bigints as numbers. Fields of the row that the schema lacks are left out.
 */
export function toWire<Schema extends z.ZodObject, Own extends Partial<z.output<Schema>>>(
  schema: Schema,
  row: RowOf<Omit<z.output<Schema>, keyof Own>>,
  own: Own & Record<Exclude<keyof Own, keyof z.output<Schema>>, never>,
): z.output<Schema> {
  const stored = row as Readonly<Record<string, unknown>>;
  const wire: Record<string, unknown> = {};
  for (const [field, column] of columnsOf(schema)) {
    const value = Object.hasOwn(own, field) ? own[field] : plain(stored[column]);
    if (value !== undefined) wire[field] = value;
  }
  return wire as z.output<Schema>;
}

const plain = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "bigint" ? Number(value) : value;
};

const columns = new WeakMap<z.ZodObject, [field: string, column: string][]>();

function columnsOf(schema: z.ZodObject): [field: string, column: string][] {
  const known = columns.get(schema);
  if (known) return known;
  const found = Object.keys(schema.shape).map((field): [string, string] => [
    field,
    field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]);
  columns.set(schema, found);
  return found;
}
