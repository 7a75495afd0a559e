import { z } from "zod";
import type { ApiKey as ApiKeyRow } from "../../engines/postgres/generated/client";
import { notFound } from "../../kernel/errors";
import { randomBase32 } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import { type Actor, type Mode, SCOPES, type Scope } from "../actors/actor";

const SECRET_LENGTH = 48;

/** What every platform key looks like: its mode, then 48 characters of 5 random bits. */
export const KEY_PATTERN = /^svc_(?:live|test)_[a-z2-7]{48}$/;

/** The topic on which every process hears the hash of a key that was revoked. */
export const KEY_REVOKED = "identity:api_key_revoked";

export const ModeName = z.enum(["test", "live"]);
export const ScopeName = z.enum(SCOPES);

export const ApiKey = z.object({
  id: z.string(),
  project_id: z.string(),
  mode: ModeName,
  name: z.string(),
  scopes: z.array(ScopeName),
  last_four: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});
export type ApiKey = z.output<typeof ApiKey>;

export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  project_id: row.projectId,
  mode: row.mode,
  name: row.name,
  scopes: scopesOf(row),
  last_four: row.lastFour,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

/** The scopes of a row that still exist. */
export const scopesOf = ({ scopes }: Pick<ApiKeyRow, "scopes">): Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope));

/** A new key and what of it is kept. */
export function mintKey(mode: Mode): { key: string; hash: string; lastFour: string } {
  const key = `svc_${mode}_${randomBase32(SECRET_LENGTH)}`;
  return { key, hash: sha256(key), lastFour: key.slice(-4) };
}

/** The keys that an actor may see: a key those of its own project and mode, a person those of the tenant. */
export const visibleTo = (actor: Actor) =>
  actor.kind === "key"
    ? { tenantId: actor.tenantId, projectId: actor.projectId, mode: actor.mode }
    : { tenantId: actor.tenantId };

export const noSuchKey = (id: string) => notFound("API key", id);
