import { z } from "zod";
import type { Product as ProductRow } from "../../engines/postgres/generated/client";
import { notFound } from "../../kernel/errors";
import { toWire } from "../../kernel/to-wire";
import { isOnSale } from "../serving/price-at";

export const availability = z.enum(["in_stock", "out_of_stock", "preorder", "backorder"]);
export type Availability = z.infer<typeof availability>;

const Price = z.object({
  amount: z.number(),
  currency: z.string(),
  original_price: z.number().optional().describe("The price before the sale"),
});
const Sale = z.object({
  amount: z.number(),
  currency: z.string(),
  starts_at: z.iso.datetime().nullable(),
  ends_at: z.iso.datetime().nullable(),
});
const Rating = z.object({ value: z.number(), scale: z.number(), count: z.int().optional() });

/** A product from a campaign's feed. */
export const Product = z
  .object({
    id: z.string().meta({ examples: ["prd_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    campaign_id: z.string(),
    external_id: z.string().describe("The feed's `id`"),
    title: z.string(),
    description: z.string(),
    link: z.string(),
    image_link: z.string().nullable(),
    brand: z.string().nullable().describe("If null, offers show the advertiser's name"),
    gtin: z.string().nullable().describe("14 digits: shorter numbers begin with zeros"),
    item_group_id: z
      .string()
      .nullable()
      .describe("Equal for variants of one product, of which a response offers one before it repeats the product"),
    category: z.string().nullable().describe("What offers show: `product_type`, else `google_product_category`"),
    google_product_category: z
      .string()
      .nullable()
      .describe("A path of names; null if the feed has only the number of a category"),
    availability,
    price: Price.nullable().describe("The price at the time of the response"),
    sale: Sale.nullable().describe("A sale with dates, past ones included: the price is `amount` while it lasts"),
    rating: Rating.nullable(),
    details: z.array(z.object({ name: z.string(), value: z.string() })),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Product" });
export type Product = z.infer<typeof Product>;

/** The price is that of `now`. */
export const productOf = (row: ProductRow, now: Date): Product =>
  toWire(Product, row, {
    availability: row.availability as Availability,
    price: priceOf(row, now),
    sale: saleOf(row),
    rating: row.rating as Product["rating"],
    details: row.details as Product["details"],
  });

function priceOf(row: ProductRow, now: Date): Product["price"] {
  const { price, originalPrice, currency } = row;
  if (price === null || currency === null) return null;
  const sale = { startsAtMs: row.saleStartsAt?.getTime(), endsAtMs: row.saleEndsAt?.getTime() };
  if (!isOnSale(sale, now.getTime())) {
    return originalPrice === null ? null : { amount: originalPrice.toNumber(), currency };
  }
  const amount = { amount: price.toNumber(), currency };
  return originalPrice === null ? amount : { ...amount, original_price: originalPrice.toNumber() };
}

function saleOf({ price, currency, saleStartsAt, saleEndsAt }: ProductRow): Product["sale"] {
  if (price === null || currency === null || (saleStartsAt === null && saleEndsAt === null)) return null;
  return {
    amount: price.toNumber(),
    currency,
    starts_at: saleStartsAt?.toISOString() ?? null,
    ends_at: saleEndsAt?.toISOString() ?? null,
  };
}

export const noProduct = (id: string) => notFound("product of this campaign", id);
