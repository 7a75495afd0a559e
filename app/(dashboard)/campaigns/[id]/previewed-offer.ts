import type { Creative } from "./creative";

/** What a preview shows of a creative. */
export type PreviewedCreative = Pick<Creative, "title" | "content" | "cta" | "brand" | "price" | "rating">;

/** Stands on an offer whose creative names no brand. */
export interface PreviewedAdvertiser {
  name: string;
  icon_url: string | null;
}

/** A creative in the shape in which the offers API hands it out; its link leads nowhere, on `origin` as the widget wants. */
export function previewedOffer(
  { title, content, cta, brand, price, rating }: PreviewedCreative,
  advertiser: PreviewedAdvertiser,
  origin: string,
) {
  const iconUrl = brand?.icon_url ?? advertiser.icon_url;
  return {
    id: "00000000-0000-7000-8000-000000000000",
    title: title || "Title",
    content: content || "What the offer is about.",
    cta: cta || "Call to action",
    clickUrl: `${origin}/api/v1/click/preview`,
    brand: { name: brand?.name ?? advertiser.name, ...(iconUrl && { iconUrl }) },
    ...(price && { price: { amount: price.amount, currency: price.currency, ...saleOf(price) } }),
    ...(rating && { rating }),
  };
}

/** The former price and the percentage off, as an offer has them: only where the price fell. */
function saleOf({ amount, original_price: before }: NonNullable<Creative["price"]>) {
  if (before === undefined || before <= amount) return {};
  const discount = Math.round((100 * (before - amount)) / before);
  return { originalPrice: before, ...(discount > 0 && { discount }) };
}
