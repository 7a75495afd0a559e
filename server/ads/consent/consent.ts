import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../../kernel/clock";
import type { Visitor } from "../visitor";
import { gppRights } from "./gpp-rights";
import { ALL, bothOf, NONE, type Rights } from "./rights";
import { tcfRights } from "./tcf-rights";

/** What a consent platform on the publisher's page says; an extension of the offers API. */
export const Consent = z
  .object({
    tcf: z.string().max(8192).optional().describe("IAB TCF v2 string"),
    gpp: z.string().max(8192).optional().describe("IAB GPP string"),
    gpp_sid: z
      .array(z.number().int())
      .max(50)
      .optional()
      .describe("Ids of the GPP sections that apply; without it every section that is present applies"),
  })
  .describe("Consent strings of the page, when it has any; one that does not allow it stops what is remembered");

type Consent = z.output<typeof Consent>;

/** Strings repeat on every page view of a visitor, and taking one apart costs more than a look-up. */
const STRINGS_KEPT = 5000;

/** What visitors and consent platforms allow to be remembered. Contextual offers go on whatever it answers. */
export class ConsentReader {
  readonly #clock: Clock;
  readonly #vendorId: number | undefined;
  readonly #read = new LRUCache<string, Rights>({ max: STRINGS_KEPT, ttl: 24 * 60 * 60 * 1000 });

  /** `vendorId`: this installation's number on the IAB's Global Vendor List; without one purposes alone count. */
  constructor({ clock, vendorId }: { clock: Clock; vendorId?: number | undefined }) {
    this.#clock = clock;
    this.#vendorId = vendorId;
  }

  /** Global Privacy Control refuses everything; every consent string that is present must allow it, and one that cannot be read does not. */
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
