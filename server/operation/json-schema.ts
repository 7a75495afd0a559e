import { z } from "zod";

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Io = "input" | "output";

const known: Readonly<Record<Io, WeakMap<z.ZodType, JsonSchema>>> = { input: new WeakMap(), output: new WeakMap() };

/**
 * The JSON Schema of what is sent (`input`) or returned (`output`), without `$schema` and ids. It is computed once per
 * process: every caller gets the same object, which must not be changed.
 */
export function jsonSchemaOf(schema: z.ZodType, io: Io): JsonSchema {
  const kept = known[io].get(schema);
  if (kept) return kept;
  const made = computed(schema, io);
  known[io].set(schema, made);
  return made;
}

function computed(schema: z.ZodType, io: Io): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      if (ZOD_FORMATS.has(jsonSchema.format ?? "")) delete jsonSchema.format;
    },
  });
  return withoutRootReference(rest);
}

/** Names of zod's checks of texts, which JSON Schema does not know; a pattern beside them says the same. */
const ZOD_FORMATS = new Set(["starts_with", "ends_with", "includes", "regex", "lowercase", "uppercase"]);

/** A schema that has an id is a reference to its definition, but readers look for the type of the whole at the root. */
function withoutRootReference(schema: JsonSchema): JsonSchema {
  const { $ref, $defs, ...rest } = schema as { $ref?: string; $defs?: Record<string, JsonSchema> };
  const name = $ref?.replace(/^#\/\$defs\//, "");
  const root = name === undefined ? undefined : $defs?.[name];
  if (name === undefined || !root) return schema;
  const others = Object.entries($defs ?? {}).filter(([other]) => other !== name || refersTo($defs, name));
  return { ...root, ...rest, ...(others.length > 0 && { $defs: Object.fromEntries(others) }) };
}

const refersTo = (within: unknown, name: string): boolean =>
  JSON.stringify(within).includes(JSON.stringify(`#/$defs/${name}`));

/** The schema that a reference to one of the definitions leads to, with what is beside the reference. */
export function resolved(schema: JsonSchema, defs: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { $ref, ...beside } = schema as { $ref?: string };
  const target = $ref === undefined ? undefined : defs[nameOf($ref)];
  return target ? { ...target, ...beside } : schema;
}

const nameOf = (reference: string): string => reference.replace(/^#\/\$defs\//, "");
