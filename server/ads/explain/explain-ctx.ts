import type { ActorCtx } from "../../identity/identity-ctx";
import type { ReservePrices } from "../auction/second-price";
import type { CapCounts } from "../caps/cap-counts";
import type { Catalog } from "../catalog/catalog";
import type { ConsentReader } from "../consent/consent-reader";
import type { SignalMemory } from "../signals/signal-memory";
import type { NearestItems } from "../vectors/nearest-items";

export interface ExplainCtx extends ActorCtx {
  /** The key that turns user ids into the pseudonyms that serving uses. */
  userKey: Buffer;
  signals: Pick<SignalMemory, "recall">;
  caps: Pick<CapCounts, "look">;
  consent: ConsentReader;
  /** This process's in-memory catalog. */
  catalog: Pick<Catalog, "snapshot" | "channelById">;
  /** The semantic engine; undefined if none is configured. */
  nearest?: Pick<NearestItems, "of"> | undefined;
  reserve: ReservePrices;
}
