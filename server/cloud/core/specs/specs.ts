import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { storedJson } from "../../../identity/stored-json";
import { canonicalJson } from "../../../kernel/canonical-json";
import { REDACTED } from "../../../kernel/redacted";
import { deriveSubkey, seal, unseal } from "../../../kernel/secrets";
import { parseInput } from "../../../operation/parse-input";
import { markedIn, pointerOf, type Redaction, type Spec, withValues } from "./sealed-fields";

/** The spec with defaults. Throws `invalid_request` with a path such as `spec.tier`. */
export const parseSpec = (schema: z.ZodType, spec: unknown): unknown =>
  parseInput(z.object({ spec: schema }), { spec: spec ?? {} }).spec;

/** A spec as everything but its effect sees it. */
export const redactedSpec = <S extends Spec>(schema: z.ZodType, spec: S): S =>
  withValues(
    spec,
    markedIn(schema, spec).map(({ path, how, value }) => ({ path, value: textOf(value, how) })),
  );

/** A new spec whose redacted texts, as reads show them, are replaced by the values before. */
export function withKeptValues(schema: z.ZodType, after: unknown, before: Spec): unknown {
  if (typeof after !== "object" || after === null || Array.isArray(after)) return after;
  const known = new Map(markedIn(schema, before).map((one) => [pointerOf(one.path), one]));
  const kept = markedIn(schema, after).flatMap(({ path, value }) => {
    const one = known.get(pointerOf(path));
    return one && value === textOf(one.value, one.how) ? [{ path, value: one.value }] : [];
  });
  return withValues(after as Spec, kept);
}

/** The values of the marked fields of a spec by JSON pointer. */
export const sealedValuesOf = (schema: z.ZodType, spec: Spec): Record<string, string> =>
  Object.fromEntries(markedIn(schema, spec).map(({ path, value }) => [pointerOf(path), value]));

/** A redacted spec with the values of its marked fields. */
export const withSealedValues = <S extends Spec>(schema: z.ZodType, spec: S, values: Record<string, string>): S =>
  withValues(
    spec,
    markedIn(schema, spec).flatMap(({ path }) => {
      const value = values[pointerOf(path)];
      return value === undefined ? [] : [{ path, value }];
    }),
  );

/** Derived from the encryption key of the installation. */
export interface SpecKeys {
  sealing: Buffer;
  /** Of hashes: who can read the database cannot test guesses of a secret. */
  hashing: Buffer;
}

export const specKeysOf = (encryptionKey: Buffer): SpecKeys => ({
  sealing: deriveSubkey(encryptionKey, "sealed fields of resources"),
  hashing: deriveSubkey(encryptionKey, "hashes of specs of resources"),
});

interface SealedSpec {
  keys: SpecKeys;
  schema: z.ZodType;
  /** The id of the resource, which the sealed text is bound to. */
  id: string;
}

/** The columns of a parsed spec: the redacted spec, the values of its marked fields in sealed form, and a keyed hash of all. */
export function storedSpec({ keys, schema, id }: SealedSpec, spec: unknown) {
  const values = sealedValuesOf(schema, spec as Spec);
  return {
    spec: storedJson(redactedSpec(schema, spec as Spec)) as Prisma.InputJsonObject,
    sealed: Object.keys(values).length === 0 ? null : seal(keys.sealing, JSON.stringify(values), id),
    specHash: specHashOf(keys, spec),
  };
}

/** The spec that was stored. Throws for one that was sealed with another key. */
export function openedSpec(
  { keys, schema, id }: SealedSpec,
  { spec, sealed }: { spec: unknown; sealed: string | null },
): Spec {
  if (sealed === null) return spec as Spec;
  const text = unseal(keys.sealing, sealed, id);
  if (text === undefined) throw new Error(`The sealed fields of ${id} cannot be opened: SVC_SECRET has changed.`);
  return withSealedValues(schema, spec as Spec, JSON.parse(text) as Record<string, string>);
}

/** HMAC-SHA256 of a spec in canonical form, hexadecimal: equal specs have equal hashes. */
export const specHashOf = ({ hashing }: Pick<SpecKeys, "hashing">, spec: unknown): string =>
  createHmac("sha256", hashing).update(canonicalJson(spec)).digest("hex");

function textOf(text: string, how: Redaction): string {
  if (how === "whole" || !URL.canParse(text)) return REDACTED;
  const url = new URL(text);
  if (url.search === "" && url.hash === "" && url.username === "" && url.password === "") return text;
  const path = `${url.protocol}//${url.host}${url.pathname}`;
  return `${path}?${REDACTED}`;
}
