import { z } from "zod";
import { type Creative as CreativeRow, Prisma } from "../../engines/postgres/generated/client";
import type { AuditTarget } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import { toWire } from "../../kernel/to-wire";
import { Brand, OfferedProduct, Price, Rating } from "./creative-fields";

/** The content of an offer and its landing page. */
export const Creative = z
  .object({
    id: z.string().meta({ examples: ["crv_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    campaign_id: z.string(),
    title: z.string(),
    content: z.string(),
    cta: z.string().describe("The label of the link"),
    landing_url: z.string(),
    brand: Brand.nullable(),
    product: OfferedProduct.nullable(),
    price: Price.nullable(),
    rating: Rating.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Creative" });
export type Creative = z.infer<typeof Creative>;

/** The optional objects of a creative; an update replaces each as a whole, and `null` clears it. */
export const creativeExtras = {
  brand: Brand.nullable().optional(),
  product: OfferedProduct.nullable().optional(),
  price: Price.nullable().optional(),
  rating: Rating.nullable().optional(),
};
type Extras = { [K in keyof typeof creativeExtras]?: z.output<(typeof creativeExtras)[K]> };

/** The JSON columns of the given optional objects, in their API form. */
export const extraColumns = (extras: Extras) => ({
  ...(extras.brand !== undefined && { brand: jsonOf(extras.brand) }),
  ...(extras.product !== undefined && { product: jsonOf(extras.product) }),
  ...(extras.price !== undefined && { price: jsonOf(extras.price) }),
  ...(extras.rating !== undefined && { rating: jsonOf(extras.rating) }),
});

export const creativeOf = (row: CreativeRow): Creative =>
  toWire(Creative, row, {
    brand: row.brand as Creative["brand"],
    product: row.product as Creative["product"],
    price: row.price as Creative["price"],
    rating: row.rating as Creative["rating"],
  });

export const creativeTarget = ({ id, title }: CreativeRow): AuditTarget => ({ type: "creative", id, name: title });

export const noCreative = (id: string) => notFound("creative of this campaign", id);

const jsonOf = (value: object | null) => (value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject));
