import type { KeyObject } from "node:crypto";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { openSigningKey } from "./signing-key";

/** At most one read in this time for tokens with unknown key ids, however many arrive. */
const READ_EVERY_MS = 3000;

interface KnownSigningKeysOptions {
  db: PrismaClient;
  clock: Clock;
  jwtKey: Buffer;
}

/** Caches every key that valid tokens may be signed with; an unknown id triggers a new read. */
export class KnownSigningKeys {
  readonly #options: KnownSigningKeysOptions;
  /** A deleted key stays in the cache: every token that it signed has expired. */
  readonly #keys = new Map<string, KeyObject>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: KnownSigningKeysOptions) {
    this.#options = options;
  }

  async find(kid: string): Promise<KeyObject | undefined> {
    const known = this.#keys.get(kid);
    if (known) return known;
    const nowMs = this.#options.clock.now().getTime();
    if (!this.#reading && nowMs - this.#readAtMs >= READ_EVERY_MS) this.#startReading(nowMs);
    await this.#reading;
    return this.#keys.get(kid);
  }

  /** The next unknown id is looked up without delay; a read in progress may have started too early to see it. */
  expectAnother(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
    this.#reading = undefined;
  }

  #startReading(nowMs: number): void {
    const reading = this.#read();
    this.#reading = reading;
    const ended = (readAtMs: number) => {
      if (this.#reading !== reading) return;
      this.#reading = undefined;
      this.#readAtMs = readAtMs;
    };
    // After a failed read the next one need not wait.
    reading.then(
      () => ended(nowMs),
      () => ended(Number.NEGATIVE_INFINITY),
    );
  }

  async #read(): Promise<void> {
    const { db, jwtKey } = this.#options;
    const rows = await db.signingKey.findMany();
    for (const row of rows) {
      const key = openSigningKey(jwtKey, row);
      if (key) this.#keys.set(key.kid, key.secret);
    }
  }
}
