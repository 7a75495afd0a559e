import { z } from "zod";
import type { Counters } from "../../engines/counters/counters";
import type { ApiKey as ApiKeyRow } from "../../engines/postgres/generated/client";
import { notFound } from "../../kernel/errors";
import { randomBase32 } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import { toWire } from "../../kernel/to-wire";
import { type Actor, type Mode, SCOPES, type Scope } from "../../operation/actor";
import { targetOf } from "../audit/record-audit";
import { ModeName } from "../wire-text";

const SECRET_LENGTH = 48;

/** The format of a platform key: its mode, then 48 random characters of 5 bits each. */
export const KEY_PATTERN = /^svc_(?:live|test)_[a-z2-7]{48}$/;

/** The topic that carries the hash of each revoked or replaced secret to every process. */
export const KEY_ENDED = "identity:api_key_ended";

export const ScopeName = z.enum(SCOPES);

export const ApiKey = z.object({
  id: z.string(),
  project_id: z.string(),
  mode: ModeName,
  name: z.string(),
  scopes: z.array(ScopeName),
  allowed_addresses: z.array(z.string()).describe("Addresses and networks that may use the key; empty: any"),
  last_four: z.string().describe("The last four characters of the secret"),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  rotated_at: z.string().nullable(),
  previous_secret_until: z.string().nullable().describe("When the secret before the last rotation stops working"),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable().describe("Precise to the minute"),
});
export type ApiKey = z.output<typeof ApiKey>;

/** An API key with its secret, which only the responses to create and rotate contain. */
export const ApiKeyWithSecret = ApiKey.extend({ key: z.string().describe("The secret; it is shown only once") });
export type ApiKeyWithSecret = z.output<typeof ApiKeyWithSecret>;

export const toApiKey = (row: ApiKeyRow): ApiKey =>
  toWire(ApiKey, row, {
    scopes: scopesOf(row),
    previous_secret_until: row.previousUntil?.toISOString() ?? null,
  });

/** The scopes of a row, without those that no longer exist. */
export const scopesOf = ({ scopes }: Pick<ApiKeyRow, "scopes">): Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope));

/** A new secret and the hash and last characters that are stored. */
export function generateKey(mode: Mode): { key: string; hash: string; lastFour: string } {
  const key = `svc_${mode}_${randomBase32(SECRET_LENGTH)}`;
  return { key, hash: sha256(key), lastFour: key.slice(-4) };
}

/** The keys that an actor may see: a key sees those of its own project and mode, a person all of the tenant. */
export const visibleTo = (actor: Actor) =>
  actor.kind === "key"
    ? { tenantId: actor.tenantId, projectId: actor.projectId, mode: actor.mode }
    : { tenantId: actor.tenantId };

/**
 * Notifies every process that the secrets of a row are no longer valid. A lost message is harmless: processes cache a
 * key for at most ten seconds.
 */
export async function announceEnd(
  counters: Pick<Counters, "publish">,
  { hash, previousHash }: Pick<ApiKeyRow, "hash" | "previousHash">,
): Promise<void> {
  const hashes = previousHash === null ? [hash] : [hash, previousHash];
  await Promise.all(hashes.map((each) => counters.publish(KEY_ENDED, each).catch(() => undefined)));
}

export const noSuchKey = (id: string) => notFound("API key", id);

/** The audit target of a key. */
export const keyTarget = targetOf("api_key");
