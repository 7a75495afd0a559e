import { type JsonSchema, resolved } from "../../operation/json-schema";
import { firstSentences } from "./first-sentences";
import { shareRepeatedParts } from "./shared-parts";

interface Place {
  /** The names of the properties that lead to it; `*` for elements, values and choices. */
  path: readonly string[];
  notes: Readonly<Record<string, string>>;
  defs: Readonly<Record<string, JsonSchema>>;
  /** The definitions that it is in. */
  within: readonly unknown[];
}

/**
 * What a model needs of a schema to make a call: names, types, choices, bounds and defaults of arguments, and one
 * sentence about each. Constraints of texts and arrays are left out, because an error names the argument and what was
 * expected. `notes` replace the descriptions of arguments by their path, such as `volumes.*.mount_path`; an empty one
 * leaves out the descriptions of the argument and of everything in it.
 */
export function briefSchema(schema: JsonSchema, notes: Readonly<Record<string, string>> = {}): JsonSchema {
  const defs = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  return shareRepeatedParts(briefOf(schema, { path: [], notes, defs, within: [] }));
}

function briefOf(given: JsonSchema, place: Place): JsonSchema {
  // A definition that contains itself is anything at its second level.
  if (given.$ref !== undefined && place.within.includes(given.$ref)) return {};
  const inner = { ...place, within: [...place.within, given.$ref ?? ""] };
  const { description, ...rest } = resolved(given, place.defs);
  const note = noteOf(place, description);
  const entries = Object.entries(rest).flatMap(([keyword, value]) => {
    const brief = briefKeyword(keyword, value, inner);
    return brief === undefined ? [] : [[keyword, brief] as const];
  });
  return { ...Object.fromEntries(entries), ...(note !== undefined && { description: note }) };
}

/** What to say about an argument; undefined where its name says it all. */
function noteOf({ path, notes }: Place, description: unknown): string | undefined {
  const at = path.map((_, depth) => path.slice(0, depth + 1).join("."));
  if (at.some((prefix) => notes[prefix] === "")) return undefined;
  const own = notes[path.join(".")];
  if (own !== undefined) return own;
  const name = path.findLast((one) => one !== "*") ?? "";
  if (typeof description !== "string" || isImpliedByName(name, description)) return undefined;
  return firstSentences(description, 1);
}

const EXTENSION = "x-";
/** Constraints that the server checks, and members that are no part of JSON Schema. */
const LEFT_OUT = new Set([
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "propertyNames",
  "examples",
  "contentMediaType",
  "$defs",
  "$ref",
]);

/** The value of a keyword; undefined for one that is left out. */
function briefKeyword(keyword: string, value: unknown, place: Place): unknown {
  if (LEFT_OUT.has(keyword) || keyword.startsWith(EXTENSION)) return undefined;
  switch (keyword) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([name, property]) => [
          name,
          briefOf(property, below(place, name)),
        ]),
      );
    case "items":
      return unlessEmpty(briefOf(value as JsonSchema, below(place, "*")));
    case "additionalProperties":
      if (value === false) return place.path.length === 0 ? false : undefined;
      return unlessEmpty(briefOf(value as JsonSchema, below(place, "*")));
    case "anyOf":
    case "oneOf":
      return briefChoices(value as JsonSchema[], below(place, "*"));
    case "minimum":
      return value === 0 || value === 1 || (value as number) < -BOUND_MAX ? undefined : value;
    case "maximum":
      return (value as number) > BOUND_MAX ? undefined : value;
    case "default":
      return typeof value === "object" || value === "" || value === false ? undefined : value;
    default:
      return value;
  }
}

const below = (place: Place, name: string): Place => ({ ...place, path: [...place.path, name] });

/** Bounds beyond it only protect the store. */
const BOUND_MAX = 1e9;

const unlessEmpty = (schema: JsonSchema): JsonSchema | undefined =>
  Object.keys(schema).length === 0 ? undefined : schema;

/** Undefined for a choice of all types, which allows everything. */
function briefChoices(choices: readonly JsonSchema[], place: Place): JsonSchema[] | undefined {
  const brief = choices.map((choice) => briefOf(choice, place));
  const plain = new Set(brief.filter((one) => Object.keys(one).length === 1).map(({ type }) => type));
  return TYPES.every((type) => plain.has(type)) ? undefined : brief;
}

const TYPES = ["object", "array", "string", "number", "boolean", "null"];

/** Whether a text has no word that a name lacks: "The id of the pod" and `pod_id`. */
export function isImpliedByName(name: string, text: string): boolean {
  const own = new Set(wordsOf(name));
  return wordsOf(text).every((word) => own.has(word) || ARTICLES.has(word));
}

/** Plurals count as their singular. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/(?<=[a-z]{2})s$/, ""));

const ARTICLES = new Set(["a", "an", "the", "of"]);
