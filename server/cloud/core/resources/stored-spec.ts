import { createHmac } from "node:crypto";
import type { z } from "zod";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { storedJson } from "../../../identity/stored-json";
import { canonicalJson } from "../../../kernel/canonical-json";
import { deriveSubkey, seal, unseal } from "../../../kernel/secrets";
import { redactedSpec, sealedValuesOf, withSealedValues } from "./redacted-spec";

type Spec = Readonly<Record<string, unknown>>;

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
