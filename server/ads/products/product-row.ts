import type { FeedProduct } from "./feed-product";

/** The columns that a feed writes, with their types. */
export const FED_COLUMNS = {
  external_id: "text",
  title: "text",
  description: "text",
  link: "text",
  image_link: "text",
  brand: "text",
  gtin: "text",
  item_group_id: "text",
  category: "text",
  google_product_category: "text",
  availability: "text",
  currency: "text",
  price: "numeric(14,4)",
  original_price: "numeric(14,4)",
  sale_starts_at: "timestamptz(3)",
  sale_ends_at: "timestamptz(3)",
  rating: "jsonb",
  details: "jsonb",
} as const;

/** A product by column, as sent to Postgres in JSON. Amounts are text, because JSON numbers are not exact. */
export const rowOf = (product: FeedProduct): Record<keyof typeof FED_COLUMNS, unknown> => ({
  external_id: product.externalId,
  title: product.title,
  description: product.description,
  link: product.link,
  image_link: product.imageLink,
  brand: product.brand,
  gtin: product.gtin,
  item_group_id: product.itemGroupId,
  category: product.category,
  google_product_category: product.googleProductCategory,
  availability: product.availability,
  currency: product.currency,
  price: product.price,
  original_price: product.originalPrice,
  sale_starts_at: product.saleStartsAt,
  sale_ends_at: product.saleEndsAt,
  rating: product.rating,
  details: product.details,
});
