import type { Counters } from "../../engines/counters/counters";
import type { ApiKey, PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { createLastUsed } from "../../kernel/last-used";
import { ReadThrough } from "../../kernel/read-through";
import { sha256 } from "../../kernel/secrets";
import type { Actor } from "../actors/actor";
import { allowanceOf } from "./allowed-addresses";
import { KEY_ENDED, KEY_PATTERN, scopesOf } from "./api-key";

/** How long a key that was revoked or rotated elsewhere can live on when the message about it was lost. */
const REMEMBERED_MS = 10_000;
const KNOWN_MAX = 10_000;

interface KeyAuthenticationOptions {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
}

export interface KeyAuthentication {
  /**
   * The actor of a live key; undefined, after the same hashing, for anything else. Throws `forbidden` (reason
   * `address_not_allowed`) for a live key used from where it may not be.
   */
  authenticate(token: string, from: { address: string }): Promise<Actor | undefined>;
  /** Resolves when every use noted so far is written. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface KnownKey {
  actor: Actor;
  keyId: string;
  endsAtMs: number;
  allows: (address: string) => boolean;
}

/**
 * Checks platform keys from memory: what the database said holds for at most ten seconds, and that a key was revoked or
 * rotated is heard at once.
 */
export async function createKeyAuthentication(options: KeyAuthenticationOptions): Promise<KeyAuthentication> {
  const { db, clock, counters } = options;
  const read = (hash: string) => readKey(db, hash);
  const keys = new ReadThrough<KnownKey>({ clock, read, freshMs: REMEMBERED_MS, max: KNOWN_MAX });
  const usage = createLastUsed({
    clock,
    write: ({ keyId: id, at, unlessAfter }) =>
      db.apiKey.updateMany({
        where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: unlessAfter } }] },
        data: { lastUsedAt: at },
      }),
  });
  const unsubscribe = await counters.subscribe(KEY_ENDED, (hash) => keys.forget(hash));
  return {
    async authenticate(token, { address }) {
      const hash = sha256(token);
      if (!KEY_PATTERN.test(token)) return undefined;
      const known = await keys.find(hash);
      if (!known || known.endsAtMs <= clock.now().getTime()) return undefined;
      if (!known.allows(address)) throw notFromHere(address);
      usage.note(known.keyId);
      return known.actor;
    },
    settled: () => usage.settled(),
    async close() {
      await unsubscribe();
      await usage.settled();
    },
  };
}

async function readKey(db: PrismaClient, hash: string): Promise<KnownKey | undefined> {
  const row = await db.apiKey.findFirst({ where: { OR: [{ hash }, { previousHash: hash }] } });
  if (!row || row.revokedAt) return undefined;
  return {
    actor: actorOf(row),
    keyId: row.id,
    endsAtMs: endOf(row, hash),
    allows: allowanceOf(row.allowedAddresses),
  };
}

/** When the secret ends: with its key, and after a rotation with the grace. */
function endOf({ hash, expiresAt, previousUntil }: ApiKey, asked: string): number {
  const expiresAtMs = expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return asked === hash ? expiresAtMs : Math.min(expiresAtMs, previousUntil?.getTime() ?? 0);
}

const actorOf = (row: ApiKey): Actor => ({
  kind: "key",
  keyId: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  mode: row.mode,
  scopes: new Set(scopesOf(row)),
});

const notFromHere = (address: string): ServiceError =>
  new ServiceError("forbidden", `This key may not be used from the address ${address}; see its allowed addresses.`, {
    details: { reason: "address_not_allowed", address },
  });
