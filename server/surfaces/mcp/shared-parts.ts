import type { JsonSchema } from "../../operation/json-schema";

/**
 * The same schema, whose parts that occur several times stand once, in `$defs`. Arguments themselves stay where they
 * are, because readers look for their type there.
 */
export function shareRepeatedParts(schema: JsonSchema): JsonSchema {
  const $defs: Record<string, JsonSchema> = {};
  let shared = schema;
  for (let part = repeatedPart(shared); part !== undefined; part = repeatedPart(shared)) {
    const name = unusedName(part.name, $defs);
    $defs[name] = part.schema;
    shared = replaced(shared, { text: JSON.stringify(part.schema), by: { $ref: `#/$defs/${name}` } });
  }
  return Object.keys($defs).length === 0 ? shared : { ...shared, $defs };
}

interface Part {
  schema: JsonSchema;
  /** Of the property that has it first. */
  name: string;
}

/** The longest part that is worth a definition. */
function repeatedPart(schema: JsonSchema): Part | undefined {
  const found = new Map<string, { part: Part; count: number }>();
  for (const part of partsOf({ schema, name: "" })) {
    const text = JSON.stringify(part.schema);
    const known = found.get(text);
    if (known) known.count++;
    else found.set(text, { part, count: 1 });
  }
  const worth = [...found].filter(([text, { part, count }]) => {
    const reference = `{"$ref":"#/$defs/${part.name}"}`.length;
    return count > 1 && (count - 1) * text.length > count * reference + part.name.length + OVERHEAD;
  });
  return worth.sort(([one], [other]) => other.length - one.length)[0]?.[1].part;
}

/** Of `"$defs":{"":}`, in characters, and a little more: references have more tokens for their length than text. */
const OVERHEAD = 40;

/** Every schema below the arguments. */
function partsOf({ schema, name }: Part, depth = 0): Part[] {
  const { properties, items, additionalProperties, anyOf, oneOf } = schema as Nested;
  const below = [
    ...Object.entries(properties ?? {}).map(([property, one]) => ({ schema: one, name: property })),
    ...[items, additionalProperties, ...(anyOf ?? []), ...(oneOf ?? [])].flatMap((one) =>
      typeof one === "object" ? [{ schema: one, name }] : [],
    ),
  ].flatMap((part) => partsOf(part, depth + 1));
  const isPart = depth > 1 && typeof schema.$ref !== "string";
  return isPart ? [{ schema, name }, ...below] : below;
}

interface Nested {
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | false;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
}

function replaced(value: unknown, what: { text: string; by: JsonSchema }, depth = 0): JsonSchema {
  const isPart = depth > DEPTH_OF_ARGUMENTS && JSON.stringify(value) === what.text;
  if (isPart) return what.by;
  if (Array.isArray(value)) return value.map((one) => replaced(one, what, depth + 1)) as never;
  if (typeof value !== "object" || value === null) return value as never;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, what, depth + 1)]));
}

/** Of `properties` of the root, and of an argument in it. */
const DEPTH_OF_ARGUMENTS = 2;

function unusedName(name: string, used: Readonly<Record<string, unknown>>, number = 1): string {
  const tried = number === 1 ? name : `${name}_${number}`;
  return tried in used ? unusedName(name, used, number + 1) : tried;
}
