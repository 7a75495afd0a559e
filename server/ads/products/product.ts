import { z } from "zod";
import type { Product as ProductRow } from "../../engines/postgres/generated/client";
import { notFound } from "../../kernel/errors";

export const availability = z.enum(["in_stock", "out_of_stock", "preorder", "backorder"]);
export type Availability = z.infer<typeof availability>;

const Price = z.object({
  amount: z.number(),
  currency: z.string(),
  original_price: z.number().optional().describe("Before a sale"),
});
const Rating = z.object({ value: z.number(), scale: z.number(), count: z.int().optional() });

/** A line of a campaign's product feed. */
export const Product = z
  .object({
    id: z.string().meta({ examples: ["prd_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    campaign_id: z.string(),
    external_id: z.string().describe("The feed's `id`"),
    title: z.string(),
    description: z.string(),
    link: z.string(),
    image_link: z.string().nullable(),
    brand: z.string().nullable().describe("Without it offers show the advertiser's name"),
    gtin: z.string().nullable(),
    category: z.string().nullable().describe("`product_type`, else `google_product_category`"),
    availability,
    price: Price.nullable(),
    rating: Rating.nullable(),
    details: z.array(z.object({ name: z.string(), value: z.string() })),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Product" });
export type Product = z.infer<typeof Product>;

export const productOf = (row: ProductRow): Product => ({
  id: row.id,
  campaign_id: row.campaignId,
  external_id: row.externalId,
  title: row.title,
  description: row.description,
  link: row.link,
  image_link: row.imageLink,
  brand: row.brand,
  gtin: row.gtin,
  category: row.category,
  availability: row.availability as Availability,
  price: priceOf(row),
  rating: row.rating as Product["rating"],
  details: row.details as Product["details"],
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

function priceOf({ price, originalPrice, currency }: ProductRow): Product["price"] {
  if (price === null || currency === null) return null;
  const amount = { amount: price.toNumber(), currency };
  return originalPrice === null ? amount : { ...amount, original_price: originalPrice.toNumber() };
}

export const noProduct = (id: string) => notFound("product of this campaign", id);
