import { LRUCache } from "lru-cache";
import type { Counters } from "../../engines/counters/counters";
import type { ApiKey, PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { createLastUsed } from "../../kernel/last-used";
import { sha256 } from "../../kernel/secrets";
import type { Actor } from "../actors/actor";
import { KEY_PATTERN, KEY_REVOKED, scopesOf } from "./api-key";

/** How long a key that was revoked elsewhere can live on when the message about it was lost. */
const REMEMBERED_MS = 10_000;
const KNOWN_MAX = 10_000;
const UNKNOWN_MAX = 10_000;

interface KeyAuthenticationOptions {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
}

export interface KeyAuthentication {
  /** The actor of a live key; undefined, after the same hashing, for anything else. */
  authenticate(token: string): Promise<Actor | undefined>;
  /** Resolves when every use noted so far is written. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface KnownKey {
  actor: Actor;
  keyId: string;
  expiresAtMs: number;
  freshUntilMs: number;
}

/**
 * Checks platform keys from memory: what the database said holds for at most ten seconds, a revocation is heard at once.
 * Unknown keys are remembered apart, so that guessing does not crowd out real ones.
 */
export async function createKeyAuthentication(options: KeyAuthenticationOptions): Promise<KeyAuthentication> {
  const cache = new KeyCache(options);
  const usage = createLastUsed({
    clock: options.clock,
    write: ({ keyId: id, at, unlessAfter }) =>
      options.db.apiKey.updateMany({
        where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: unlessAfter } }] },
        data: { lastUsedAt: at },
      }),
  });
  const unsubscribe = await options.counters.subscribe(KEY_REVOKED, (hash) => cache.forget(hash));
  return {
    async authenticate(token) {
      const hash = sha256(token);
      if (!KEY_PATTERN.test(token)) return undefined;
      const known = await cache.find(hash);
      if (!known) return undefined;
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

class KeyCache {
  readonly #known = new LRUCache<string, KnownKey>({ max: KNOWN_MAX });
  readonly #unknownUntilMs = new LRUCache<string, number>({ max: UNKNOWN_MAX });
  readonly #fills = new Map<string, Promise<KnownKey | undefined>>();
  readonly #options: KeyAuthenticationOptions;
  #generation = 0;

  constructor(options: KeyAuthenticationOptions) {
    this.#options = options;
  }

  async find(hash: string): Promise<KnownKey | undefined> {
    const nowMs = this.#options.clock.now().getTime();
    const known = this.#known.get(hash);
    if (known && nowMs < known.freshUntilMs) return nowMs < known.expiresAtMs ? known : undefined;
    if (nowMs < (this.#unknownUntilMs.get(hash) ?? 0)) return undefined;
    return this.#fills.get(hash) ?? this.#startFill(hash);
  }

  /** A fill under way may have read the key before it was revoked, so its result is no longer kept or believed. */
  forget(hash: string): void {
    this.#generation++;
    this.#fills.delete(hash);
    this.#known.delete(hash);
  }

  #startFill(hash: string): Promise<KnownKey | undefined> {
    const fill = this.#fill(hash).finally(() => {
      if (this.#fills.get(hash) === fill) this.#fills.delete(hash);
    });
    this.#fills.set(hash, fill);
    return fill;
  }

  async #fill(hash: string): Promise<KnownKey | undefined> {
    const generation = this.#generation;
    const known = await this.#read(hash);
    if (generation !== this.#generation) return this.#read(hash);
    if (known) this.#known.set(hash, known);
    else this.#rememberUnknown(hash);
    return known;
  }

  #rememberUnknown(hash: string): void {
    this.#known.delete(hash);
    this.#unknownUntilMs.set(hash, this.#options.clock.now().getTime() + REMEMBERED_MS);
  }

  async #read(hash: string): Promise<KnownKey | undefined> {
    // The ten seconds count from before the read: what it finds may be that old already when it arrives.
    const nowMs = this.#options.clock.now().getTime();
    const row = await this.#options.db.apiKey.findUnique({ where: { hash } });
    const expiresAtMs = row?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (!row || row.revokedAt || expiresAtMs <= nowMs) return undefined;
    return { actor: actorOf(row), keyId: row.id, expiresAtMs, freshUntilMs: nowMs + REMEMBERED_MS };
  }
}

const actorOf = (row: ApiKey): Actor => ({
  kind: "key",
  keyId: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  mode: row.mode,
  scopes: new Set(scopesOf(row)),
});
