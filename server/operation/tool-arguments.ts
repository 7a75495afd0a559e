import { z } from "zod";

/** The letters of the specification's tables, as JSON types. */
interface TypeOfLetter {
  s: string;
  i: number;
  b: boolean;
  n: number;
  o: Record<string, unknown>;
  a: unknown[];
}

type Letter = keyof TypeOfLetter;

/** `name*:s gpu:b` as `"name*:s" | "gpu:b"`. */
type Each<N extends string> = N extends `${infer First} ${infer Rest}` ? First | Each<Rest> : N;

type Typed<Field extends string> = Field extends `${string}:${infer L extends Letter}` ? TypeOfLetter[L] : never;

/** The arguments that a notation such as `name*:s gpu:b` describes: `{ name: string; gpu?: boolean }`. */
export type ArgumentsOf<N extends string> = {
  [F in Each<N> as F extends `${infer Name}*:${string}` ? Name : never]: Typed<F>;
} & {
  [F in Each<N> as F extends `${string}*:${string}` ? never : F extends `${infer Name}:${string}` ? Name : never]?:
    | Typed<F>
    | undefined;
};

const SCHEMAS: Readonly<Record<Letter, z.ZodType>> = {
  s: z.string(),
  i: z.int(),
  b: z.boolean(),
  n: z.number(),
  o: z.record(z.string(), z.unknown()),
  a: z.array(z.unknown()),
};

/** How a letter is called in JSON Schema. */
export const JSON_TYPES: Readonly<Record<Letter, string>> = {
  ...{ s: "string", i: "integer", b: "boolean", n: "number", o: "object", a: "array" },
};

export interface NotedField {
  name: string;
  isRequired: boolean;
  letter: Letter;
}

/** Reads the specification's notation: fields separated by spaces, `*` after a name that is required. */
export function readNotation(notation: string): NotedField[] {
  return notation
    .split(" ")
    .filter((field) => field !== "")
    .map((field) => {
      const [, name = "", star = "", letter = ""] = /^([a-z_]+)(\*?):([sibnoa])$/.exec(field) ?? [];
      if (name === "") throw new Error(`"${field}" is not a field of a tool: expected name:s or name*:s.`);
      return { name, isRequired: star === "*", letter: letter as Letter };
    });
}

/** The schema of a noted field: `known` where it says more than the letter. Arguments are left out, never null. */
export function schemaOf({ isRequired, letter }: NotedField, known: z.ZodType = SCHEMAS[letter]): z.ZodType {
  const schema = withoutNull(known);
  if (isRequired) return z.nonoptional(schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema);
  return schema.safeParse(undefined).success ? schema : schema.optional();
}

function withoutNull(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return withoutNull(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodOptional)) return schema;
  const inner = withoutNull(schema.unwrap() as z.ZodType).optional();
  return schema.description === undefined ? inner : inner.describe(schema.description);
}
