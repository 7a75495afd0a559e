import type { Row } from "./row";
import type { Schema } from "./schema-text";
import { type Field, isUpload, type Operation, scopeOf } from "./sdk-operations";

/** What the command line says about each operation, and checks of its fields before they are sent. */
export function commandsText(operations: readonly Operation[], schemas: Record<string, Schema>): string {
  const resolve = (schema: Schema): Schema =>
    typeof schema.$ref === "string" ? (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  const lines = operations
    .filter(({ row }) => !usesCookie(row))
    .map(({ id, summary, row, fields, item, output }) => {
      const scope = scopeOf(row);
      const shown = resolve(item ?? output ?? {}).properties;
      const facts = {
        operation: id,
        summary,
        ...(scope ? { scope } : {}),
        ...(isUpload(row) ? { upload: row.upload } : {}),
        fields: fields.map((field) => requestMetaOf(field, resolve)),
        columns: columnsOf(shown, resolve),
      };
      return `  ${JSON.stringify(facts)},`;
    });
  return `import type { Command } from "../command-line/command";

export const COMMANDS: readonly Command[] = [
${lines.join("\n")}
];
`;
}

/** What lives by a browser's cookie has no command; `svc login` logs in. */
const usesCookie = (row: Row): boolean => "usesCookie" in row && row.usesCookie === true;

const typesIn = (schema: Schema): string[] => {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  return [...own, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(typesIn)];
};

/** What a table shows, what tells things apart first; lists and objects have no place there. */
function columnsOf(shown: Record<string, Schema> = {}, resolve: (schema: Schema) => Schema): string[] {
  const rankOf = (name: string, schema: Schema): number => {
    const ranks = [name === "id", /^(name|title)$/.test(name), schema.enum !== undefined];
    const last = name.endsWith("_at") || name.endsWith("_id") ? ranks.length + 1 : ranks.length;
    return ranks.includes(true) ? ranks.indexOf(true) : last;
  };
  return Object.entries(shown)
    .map(([name, schema]) => ({ name, schema: resolve(schema) }))
    .filter(({ schema }) => isPlain(schema))
    .sort((a, b) => rankOf(a.name, a.schema) - rankOf(b.name, b.schema))
    .map(({ name }) => name);
}

const isPlain = (schema: Schema): boolean => !typesIn(schema).some((type) => type === "object" || type === "array");

function requestMetaOf(
  { name, in: place, required, schema: given }: Field,
  resolve: (schema: Schema) => Schema,
): object {
  const schema = resolve(given);
  const types = new Set(typesIn(schema));
  const ofItems = [schema, ...(schema.anyOf ?? [])].find((one) => one.items)?.items;
  const items = ofItems && resolve(ofItems);
  const kind = types.has("object")
    ? types.has("string")
      ? "text"
      : "object"
    : types.has("array")
      ? items && isPlain(items)
        ? "list"
        : "objects"
      : (["boolean", "number", "integer"].find(
          (type) => types.size - (types.has("null") ? 1 : 0) === 1 && types.has(type),
        ) ?? "string");
  const values = schema.enum ?? items?.enum;
  return {
    name,
    in: place,
    kind,
    ...(required ? { required } : {}),
    ...(kind === "list" && items?.type === "integer" ? { items: "integer" } : {}),
    ...(types.has("null") ? { nullable: true } : {}),
    ...(schema.format ? { format: schema.format } : {}),
    ...(values ? { values } : {}),
    ...(typeof schema.minimum === "number" ? { minimum: schema.minimum } : {}),
    ...(typeof schema.maximum === "number" ? { maximum: schema.maximum } : {}),
    ...(schema.default !== undefined && schema.default !== null && isPlain(schema) ? { default: schema.default } : {}),
    ...(schema.description ? { description: schema.description } : {}),
    ...(schema.examples?.[0] !== undefined ? { example: schema.examples[0] } : {}),
  };
}
