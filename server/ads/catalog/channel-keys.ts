import type { ServingChannel } from "../serving/serving";

export interface ChannelKeyRef {
  id: string;
  kind: "server" | "browser";
}

interface StoredKey extends ChannelKeyRef {
  channelId: string;
  hash: string;
}

/** Maps keys to channels, and browser keys to allowed origins; revoked keys are removed. */
export class ChannelKeys {
  readonly #byHash = new Map<string, StoredKey>();
  readonly #byId = new Map<string, StoredKey>();
  readonly #channels: ReadonlyMap<string, ServingChannel>;
  #origins: ReadonlySet<string> | undefined;

  constructor(channels: ReadonlyMap<string, ServingChannel>) {
    this.#channels = channels;
  }

  put(key: StoredKey): void {
    this.remove(key.id);
    this.#byHash.set(key.hash, key);
    this.#byId.set(key.id, key);
    this.#origins = undefined;
  }

  remove(id: string): void {
    const key = this.#byId.get(id);
    if (!key) return;
    this.#byHash.delete(key.hash);
    this.#byId.delete(id);
    this.#origins = undefined;
  }

  /** Call this when a channel changed, because its origins may have changed too. */
  channelChanged(): void {
    this.#origins = undefined;
  }

  find(hash: string): { channel: ServingChannel; key: ChannelKeyRef } | undefined {
    const stored = this.#byHash.get(hash);
    const channel = stored && this.#channels.get(stored.channelId);
    return channel && { channel, key: { id: stored.id, kind: stored.kind } };
  }

  /** Every origin of a channel that has an active browser key. */
  origins(): ReadonlySet<string> {
    this.#origins ??= new Set(
      [...this.#byId.values()]
        .filter(({ kind }) => kind === "browser")
        .flatMap(({ channelId }) => this.#channels.get(channelId)?.origins ?? []),
    );
    return this.#origins;
  }
}
