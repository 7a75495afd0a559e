import { z } from "zod";
import { REDACTED } from "../../../kernel/redacted";

/**
 * Marks a field of a spec that may hold a secret: `whole`, nothing of it is shown; `query`, a URL of which host and
 * path are shown. Reads, placeholders, events, webhooks, the audit log and plans have the redacted text, which an update
 * may send back to keep the value. Only effects receive the value. The last call on the schema of the field.
 */
export const redacted = (how: Redaction) => ({ [KEYWORD]: how });

type Redaction = "whole" | "query";
type Spec = Readonly<Record<string, unknown>>;

/** In the JSON schema of the kind too. */
const KEYWORD = "x-redacted";

/** A spec as everything but its effect sees it. */
export function redactedSpec<S extends Spec>(schema: z.ZodType, spec: S): S {
  const shown = redactionsOf(schema).flatMap(([name, how]) => {
    const value = spec[name];
    return typeof value === "string" && value !== "" ? [[name, textOf(value, how)] as const] : [];
  });
  return { ...spec, ...Object.fromEntries(shown) };
}

/** A new spec whose redacted texts, as reads show them, are replaced by the values before. */
export function withKeptValues(schema: z.ZodType, after: unknown, before: Spec): unknown {
  if (typeof after !== "object" || after === null || Array.isArray(after)) return after;
  const shown = redactedSpec(schema, before);
  const kept = redactionsOf(schema).flatMap(([name]) =>
    (after as Spec)[name] !== undefined && (after as Spec)[name] === shown[name] ? [[name, before[name]] as const] : [],
  );
  return { ...after, ...Object.fromEntries(kept) };
}

/** The marked fields of a schema. */
export const redactionsOf = (schema: z.ZodType): [name: string, how: Redaction][] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
        const how = field.meta()?.[KEYWORD] as Redaction | undefined;
        return how === undefined ? [] : [[name, how] as [string, Redaction]];
      })
    : [];

function textOf(text: string, how: Redaction): string {
  if (how === "whole" || !URL.canParse(text)) return REDACTED;
  const url = new URL(text);
  if (url.search === "" && url.hash === "" && url.username === "" && url.password === "") return text;
  const path = `${url.protocol}//${url.host}${url.pathname}`;
  return `${path}?${REDACTED}`;
}
