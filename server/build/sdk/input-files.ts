import { type JsonSchema, jsonSchemaOf } from "../../operation/json-schema";
import { appRouter } from "../../surfaces/trpc/router";

type Schema = JsonSchema & { type?: unknown; pattern?: unknown; anyOf?: readonly Schema[] };

/** Where the text of a file of `app/generated/inputs` finds its type. */
const TYPE = "../../components/form/field-schema";

/**
 * The text of each file of `app/generated/inputs`, by name: one for each procedure that changes something, with what a
 * form shows of its input. Pages import those that they use.
 */
export function inputFiles(): Record<string, string> {
  const files = Object.entries(appRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>)
    .filter(([, { _def }]) => _def.type === "mutation")
    .map(([id, { _def }]) => [`${id}.ts`, textOf(id, jsonSchemaOf(_def.meta.operation.input, "input"))] as const);
  return Object.fromEntries(files);
}

interface Procedure {
  _def: { type: string; meta: { operation: { input: Parameters<typeof jsonSchemaOf>[0] } } };
}

function textOf(id: string, schema: JsonSchema): string {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  const fields = Object.entries(properties).map(([name, one]) => [name, fieldOf(one)]);
  const input = { operation: id, properties: Object.fromEntries(fields), required };
  return `import type { InputSchema } from "${TYPE}";

export const ${id}Input: InputSchema<"${id}"> = ${JSON.stringify(input, null, 2)};
`;
}

const KEPT = [
  "type",
  "description",
  "enum",
  "default",
  "minimum",
  "maximum",
  "maxLength",
  "format",
  "contentMediaType",
] as const;
/** The bounds of every whole number, which say nothing. */
const NO_BOUNDS: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** A schema as a form needs it: what may be null is the schema of its other values, and says so. */
function fieldOf(schema: Schema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const isNullable = others.length === 1 && schema.anyOf?.length === 2;
  const whole: Schema = isNullable ? { ...others[0], ...schema } : schema;
  if (Array.isArray(whole.type)) return {};
  const kept = KEPT.filter((key) => whole[key] !== undefined && !NO_BOUNDS.includes(whole[key]));
  const length = /^\^\[.*\]\{\d+,(\d+)\}\$$/.exec(String(whole.pattern ?? ""))?.[1];
  return {
    ...Object.fromEntries(kept.map((key) => [key, whole[key]])),
    ...(length && { maxLength: Number(length) }),
    ...(typeof whole.pattern === "string" && !new RegExp(whole.pattern, "u").test("two words") && { identifier: true }),
    ...(isNullable && { nullable: true }),
  };
}
