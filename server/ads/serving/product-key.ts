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
