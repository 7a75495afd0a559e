import { clientOf, isLoopbackAddress } from "./address-hash";

export interface ClientLimitOptions {
  /** What one client has at once. */
  max: number;
  /** Clients on this machine have no limit: PUBLIC_URL is a loopback address. */
  exemptsLoopback: boolean;
}

/** Limits what one client, an IPv4 address or the /64 of an IPv6 address, has at once in this process. */
export class ClientLimit {
  readonly #options: ClientLimitOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: ClientLimitOptions) {
    this.#options = options;
  }

  /** Counts one more; the result ends that. undefined: the client has as many as it may. */
  enter(address: string): (() => void) | undefined {
    if (this.#options.exemptsLoopback && isLoopbackAddress(address)) return () => undefined;
    const client = clientOf(address);
    const count = this.#counts.get(client) ?? 0;
    if (count >= this.#options.max) return undefined;
    this.#counts.set(client, count + 1);
    return () => {
      const left = (this.#counts.get(client) ?? 1) - 1;
      if (left > 0) this.#counts.set(client, left);
      else this.#counts.delete(client);
    };
  }
}
