import type { ReservePrices } from "../auction/second-price";
import type { CapCounts } from "../caps/cap-counts";
import type { Catalog } from "../catalog/catalog";
import type { ClickCtx } from "../clicks/click-ctx";
import type { DecisionMemory } from "../ranking/decision-memory";
import type { SignalCtx } from "../signals/signal-ctx";
import type { NearestItems } from "../vectors/nearest-items";

export interface OffersCtx extends ClickCtx, SignalCtx {
  caps: CapCounts;
  catalog: Catalog;
  /** Recent decisions of this process. */
  decisions: DecisionMemory;
  /** The semantic engine; undefined if none is configured. */
  nearest?: Pick<NearestItems, "of"> | undefined;
  publicUrl: string;
  reserve: ReservePrices;
  /** Network campaigns of this tenant are house offers on other tenants' channels. */
  demoTenantId: string | undefined;
  /** The number of ids in impression reports that cannot be offer ids. */
  ignoredIds: { count: number };
}
