import type { KeyObject } from "node:crypto";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { openSigningKey } from "./signing-key";

/** Tokens with invented key ids cost one read in this time, however many come. */
const READ_EVERY_MS = 3000;

interface KnownSigningKeysOptions {
  db: PrismaClient;
  clock: Clock;
  jwtKey: Buffer;
}

/** Every key that tokens may still be signed with, in memory; an unknown id has the table read again. */
export class KnownSigningKeys {
  readonly #options: KnownSigningKeysOptions;
  /** One that was deleted meanwhile stays: nothing that it signed is good any more. */
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

  /** The next unknown id is looked up without delay; a read under way may have come too early for it. */
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
    // A read that failed has told nothing, so the next one need not wait.
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
