import type { OfferPrice, ServingItem } from "./serving";

/** The price of an item at a time: the sale price while a dated sale lasts. */
export function priceAt(item: ServingItem, nowMs: number): OfferPrice | undefined {
  const sale = item.kind === "product" ? item.sale : undefined;
  return sale && isOnSale(sale, nowMs) ? sale.price : item.price;
}

/** Whether a sale lasts at a time: both ends belong to it, and a missing one does not limit it. */
export function isOnSale(
  { startsAtMs = Number.NEGATIVE_INFINITY, endsAtMs = Number.POSITIVE_INFINITY }: SaleTimes,
  nowMs: number,
): boolean {
  return startsAtMs <= nowMs && nowMs <= endsAtMs;
}

interface SaleTimes {
  startsAtMs?: number | undefined;
  endsAtMs?: number | undefined;
}
