import { z } from "zod";

/** The type for each letter in the specification's tables. */
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

/** The type in JSON Schema for each letter of the notation. */
export const JSON_TYPES: Readonly<Record<Letter, string>> = {
  s: "string",
  i: "integer",
  b: "boolean",
  n: "number",
  o: "object",
  a: "array",
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
      const [, name = "", star = "", letter = ""] = /^([a-z][a-z0-9_]*)(\*?):([sibnoa])$/.exec(field) ?? [];
      if (name === "") throw new Error(`"${field}" is not a field of a tool: expected name:s or name*:s.`);
      return { name, isRequired: star === "*", letter: letter as Letter };
    });
}

/**
 * The schema of an argument: `known`, which describes a field of an operation, or else what the letter says. An argument
 * that is not sent is absent, never null.
 */
export function schemaOf({ isRequired, letter }: NotedField, known: z.ZodType = SCHEMAS[letter]): z.ZodType {
  const sent = withoutWrappers(known);
  if (!isRequired) return known instanceof z.ZodDefault ? known : described(sent.optional(), known);
  return described(sent, known);
}

/** Without `optional`, `nullable` and `default`. */
const withoutWrappers = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? withoutWrappers(schema.unwrap() as z.ZodType)
    : schema;

const described = (schema: z.ZodType, { description }: z.ZodType): z.ZodType =>
  description === undefined ? schema : schema.describe(description);
