import type { Counters } from "../../engines/counters/counters";
import type { ApiKey, PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { createLastUsed } from "../../kernel/last-used";
import { ReadThrough } from "../../kernel/read-through";
import { sha256 } from "../../kernel/secrets";
import type { Actor } from "../../operation/actor";
import { allowanceOf } from "./allowed-addresses";
import { KEY_ENDED, KEY_PATTERN, scopesOf } from "./api-key";

/** The longest time that a revoked or rotated key still works in a process that missed the message. */
const REMEMBERED_MS = 10_000;
const KNOWN_MAX = 10_000;

export interface KeyAuthenticationOptions {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
}

export interface KeyAuthentication {
  /**
   * Returns the actor of an active key, or undefined for any other text after the same hashing work. Throws `forbidden`
   * (reason `address_not_allowed`) when the key is used from an address that it does not allow.
   */
  authenticate(token: string, from: { address: string }): Promise<Actor | undefined>;
  /** Resolves when every use recorded so far is written. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

interface ChannelKeyHolder {
  actor: Actor;
  keyId: string;
  endsAtMs: number;
  allows: (address: string) => boolean;
}

/**
 * Checks platform keys against a cache. A cached row is used for at most ten seconds, and a revoked or rotated key is
 * dropped as soon as its message arrives.
 */
export async function createKeyAuthentication(options: KeyAuthenticationOptions): Promise<KeyAuthentication> {
  const { db, clock, counters } = options;
  const read = (hash: string) => readKey(db, hash);
  const keys = new ReadThrough<ChannelKeyHolder>({ clock, read, freshMs: REMEMBERED_MS, max: KNOWN_MAX });
  const usage = createLastUsed({ clock, table: db.apiKey });
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
    idle: () => usage.idle(),
    async close() {
      await unsubscribe();
      await usage.idle();
    },
  };
}

async function readKey(db: PrismaClient, hash: string): Promise<ChannelKeyHolder | undefined> {
  const row = await db.apiKey.findFirst({ where: { OR: [{ hash }, { previousHash: hash }] } });
  if (!row || row.revokedAt) return undefined;
  return {
    actor: { ...actorOf(row), ...(hash !== row.hash && { usesPreviousSecret: true }) },
    keyId: row.id,
    endsAtMs: endOf(row, hash),
    allows: allowanceOf(row.allowedAddresses),
  };
}

/** When the secret expires: with its key, or after a rotation at the end of the grace period. */
function endOf({ hash, expiresAt, previousUntil }: ApiKey, asked: string): number {
  const expiresAtMs = expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return asked === hash ? expiresAtMs : Math.min(expiresAtMs, previousUntil?.getTime() ?? 0);
}

const actorOf = (row: ApiKey): Extract<Actor, { kind: "key" }> => ({
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
