import { z } from "zod";
import brands from "./demo-brands.json";

const Money = z.number().positive();
const Stars = z.strictObject({ stars: z.number().min(0).max(5), count: z.int().positive() });

/** A file of app/demo/pictures, without its extension. */
const Picture = z.string().regex(/^[a-z]+(-[a-z]+)*$/);

/** A group of products; each has the shelf's category and a description that ends with `about`. */
const Shelf = z.strictObject({
  category: z.string(),
  about: z.string(),
  goods: z
    .array(z.strictObject({ title: z.string(), price: Money, priceBefore: Money.optional(), picture: Picture }))
    .min(1),
});

/** One campaign of the demo: an invented brand, its text, and where it runs. */
const DemoBrand = z.strictObject({
  /** The landing page is a page of this installation. */
  slug: z.string(),
  name: z.string(),
  /** The campaign's category, with levels joined by `>`. */
  category: z.string(),
  /** Languages of its text; an empty list means all. */
  locales: z.array(z.string()),
  geos: z.array(z.string()).default([]),
  devices: z.array(z.string()).default([]),
  model: z.enum(["cpc", "cpm"]),
  bidMicros: z.int().positive(),
  title: z.string(),
  content: z.string(),
  cta: z.string(),
  /** `match:text` */
  keywords: z.array(z.templateLiteral([z.enum(["exact", "phrase", "broad", "negative"]), ":", z.string()])),
  price: z.strictObject({ amount: Money, original_price: Money.optional() }).optional(),
  rating: Stars.optional(),
  shelf: Shelf.optional(),
});

export type DemoBrand = z.output<typeof DemoBrand>;

/** A product of the demo, before it gets its ids, link and currency. */
export interface DemoProduct {
  title: string;
  category: string;
  description: string;
  picture: string;
  amount: number;
  originalAmount: number | undefined;
  rating: { value: number; scale: number; count: number };
}

/** Returns the brands of demo-brands.json. */
export const demoBrands = (): DemoBrand[] => z.array(DemoBrand).parse(brands);

/** Returns the products of a brand in shelf order. Ratings differ by product and are deterministic. */
export function productsOf({ shelf }: DemoBrand): DemoProduct[] {
  if (!shelf) return [];
  return shelf.goods.map(({ title, price, priceBefore, picture }, i) => ({
    title,
    category: shelf.category,
    description: `${title}. ${shelf.about}`,
    picture,
    amount: price,
    originalAmount: priceBefore,
    rating: fiveStars(madeUpStars(i + 1)),
  }));
}

/** A rating in the stored form of creatives and products. */
export const fiveStars = ({ stars, count }: z.output<typeof Stars>) => ({ value: stars, scale: 5, count });

const madeUpStars = (place: number) => ({ stars: 4 + ((place * 7) % 10) / 10, count: 40 + ((place * 137) % 900) });
