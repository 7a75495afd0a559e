import { LRUCache } from "lru-cache";
import { keyedHash } from "../../kernel/secrets";

const PREFIX = "nch_";
const REFS_REMEMBERED = 100_000;

/** The format of a reference. Only references that svc has returned are valid. */
export const CHANNEL_REF = /^nch_[0-9a-f]{32}$/;

/**
 * Opaque references to the channels of other publishers. The same channel has a different reference for each buying
 * tenant, and a reference does not reveal which channel it identifies.
 */
export class ChannelRefs {
  readonly #key: Buffer;
  readonly #refs = new LRUCache<string, string>({ max: REFS_REMEMBERED });

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** The reference of a channel for a buying tenant, computed once and then cached. */
  of(buyerTenantId: string, channelId: string): string {
    const text = `${buyerTenantId}\n${channelId}`;
    const known = this.#refs.get(text);
    if (known !== undefined) return known;
    const made = PREFIX + keyedHash(this.#key, text);
    this.#refs.set(text, made);
    return made;
  }
}
