import type { Creative } from "./creative";

/** What a preview shows of a creative. */
export type PreviewedCreative = Pick<Creative, "title" | "content" | "cta" | "brand" | "price" | "rating">;

/** Shown on an offer whose creative has no brand. */
export interface PreviewedAdvertiser {
  name: string;
  icon_url: string | null;
}

/** A creative in the format of the offers API; its link goes nowhere, but is on `origin`, as the widget requires. */
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
