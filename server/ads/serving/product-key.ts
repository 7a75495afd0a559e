import { shareOf } from "../../kernel/share-of";
import type { ServingItem } from "./serving";

/**
 * Identifies the product of an item, to detect duplicates: its group of variants, else its trade number, else its
 * landing page. A shop chooses its group ids itself, so they are compared only within one campaign.
 */
export function productKey(item: ServingItem): string {
  if (item.kind !== "product") return item.landingUrl;
  if (item.groupId !== undefined) return `${item.campaignId} ${item.groupId}`;
  return item.gtin ?? item.landingUrl;
}

const LOW = 2 ** 21;

/** A hash of `productKey`, 0 to 2^53: of 30 items, two different products have the same number once in 10^13 decisions. */
export function productNumber(item: ServingItem): number {
  const key = productKey(item);
  // A text behind another one would collide where the first one does; in front of it, it changes the whole hash.
  return shareOf(key) * 2 ** 32 * LOW + Math.floor(shareOf(`\n${key}`) * LOW);
}
