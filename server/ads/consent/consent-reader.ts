import { LRUCache } from "lru-cache";
import type { Clock } from "../../kernel/clock";
import type { Visitor } from "../visitor";
import type { Consent } from "./consent";
import { gppRights } from "./gpp-rights";
import { ALL, bothOf, NONE, type Rights } from "./rights";
import { tcfRights } from "./tcf-rights";

/** Strings repeat on every page view of a visitor, and parsing one costs more than a look-up. */
const STRINGS_KEPT = 5000;

/** Reads what visitors and consent platforms allow to be stored. Contextual offers are served in any case. */
export class ConsentReader {
  readonly #clock: Clock;
  readonly #vendorId: number | undefined;
  readonly #read = new LRUCache<string, Rights>({ max: STRINGS_KEPT, ttl: 24 * 60 * 60 * 1000 });

  /** `vendorId`: this installation's number on the IAB's Global Vendor List; without one, only purposes are checked. */
  constructor({ clock, vendorId }: { clock: Clock; vendorId?: number | undefined }) {
    this.#clock = clock;
    this.#vendorId = vendorId;
  }

  /**
   * Global Privacy Control denies everything. Otherwise every consent string must allow it, and an unreadable string
   * does not.
   */
  rightsOf(visitor: Pick<Visitor, "gpc">, consent: Consent | undefined): Rights {
    if (visitor.gpc) return NONE;
    if (!consent?.tcf && !consent?.gpp) return ALL;
    const key = JSON.stringify([consent.tcf, consent.gpp, consent.gpp_sid]);
    const known = this.#read.get(key);
    if (known) return known;
    const read = { now: this.#clock.now(), vendorId: this.#vendorId };
    const rights = bothOf(
      consent.tcf ? tcfRights(consent.tcf, read) : ALL,
      consent.gpp ? gppRights(consent.gpp, consent.gpp_sid, read) : ALL,
    );
    this.#read.set(key, rights);
    return rights;
  }
}
