import os from "node:os";
import ipaddr from "ipaddr.js";

/** Linux has no event for a changed address; a second is the time in which a new one becomes known. */
const READ_MS = 1000;

interface Parts {
  read?: () => ReturnType<typeof os.networkInterfaces>;
  /** In milliseconds, monotonic. */
  now?: () => number;
}

/** The addresses of this machine's interfaces, which are read again when they are older than a second. */
export class OwnAddresses {
  readonly #read: NonNullable<Parts["read"]>;
  readonly #now: NonNullable<Parts["now"]>;
  #known: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor({ read = os.networkInterfaces, now = () => performance.now() }: Parts = {}) {
    this.#read = read;
    this.#now = now;
  }

  /** Takes every form of an address. */
  has(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    const now = this.#now();
    if (now - this.#readAt >= READ_MS) {
      const all = Object.values(this.#read()).flatMap((addresses = []) => addresses);
      this.#known = new Set(all.map(({ address }) => ipaddr.process(address).toNormalizedString()));
      this.#readAt = now;
    }
    return this.#known.has(address.toNormalizedString());
  }
}
