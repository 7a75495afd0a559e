import { z } from "zod";

/**
 * Marks a field of a spec that may hold a secret, at any depth: it is stored sealed, and only effects receive its value.
 * Reads, placeholders, events, webhooks, the audit log and plans have a redacted text, which an update may send back to
 * keep the value. `whole`: nothing of it is shown; `query`: of a URL host and path are shown. The last call on the schema
 * of the field.
 */
export const sealed = <S extends z.ZodType>(field: S, how: Redaction = "whole"): S =>
  field.meta({ ...field.meta(), [KEYWORD]: how });

export type Redaction = "whole" | "query";
export type Spec = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** In the JSON schema of the kind too. */
const KEYWORD = "x-redacted";

/** A marked field of a given spec. */
export interface MarkedValue {
  path: Path;
  how: Redaction;
  value: string;
}

/** The names of the marked fields at the first level of a schema. */
export const redactionsOf = (schema: z.ZodType): [name: string, how: Redaction][] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
        const how = markOf(field);
        return how === undefined ? [] : [[name, how] as [string, Redaction]];
      })
    : [];

const markOf = (schema: z.ZodType): Redaction | undefined => schema.meta()?.[KEYWORD] as Redaction | undefined;

/** The marked texts in a value, which need not match the schema. */
export function markedIn(schema: z.ZodType, value: unknown, path: Path = []): MarkedValue[] {
  const how = markOf(schema);
  if (how !== undefined) return typeof value === "string" && value !== "" ? [{ path, how, value }] : [];
  return partsOf(schema, value).flatMap(([key, part, within]) =>
    markedIn(part, within, key === undefined ? path : [...path, key]),
  );
}

type Part = [key: string | number | undefined, schema: z.ZodType, value: unknown];

/** What a schema consists of, with what a value has there. */
function partsOf(schema: z.ZodType, value: unknown): Part[] {
  if (schema instanceof z.ZodUnion) return schema.options.map((one) => [undefined, one as z.ZodType, value]);
  const inner = innerOf(schema);
  if (inner) return [[undefined, inner, value]];
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((one, at): Part => [at, schema.element as z.ZodType, one]) : [];
  if (typeof value !== "object" || value === null) return [];
  const fieldOf = (name: string): z.ZodType | undefined => {
    if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
    return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>)[name] : undefined;
  };
  return Object.entries(value).flatMap(([name, one]): Part[] => {
    const field = fieldOf(name);
    return field ? [[name, field, one]] : [];
  });
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.unwrap() as z.ZodType;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.unwrap() as z.ZodType;
  return schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : undefined;
}

/** A JSON pointer (RFC 6901). */
export const pointerOf = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** A copy with other values at some paths. */
export function withValues<S extends Spec>(spec: S, values: readonly { path: Path; value: string }[]): S {
  if (values.length === 0) return spec;
  const copy = structuredClone(spec);
  for (const { path, value } of values) {
    const parent = path.slice(0, -1).reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], copy);
    (parent as Record<string | number, unknown>)[path.at(-1) ?? ""] = value;
  }
  return copy;
}
