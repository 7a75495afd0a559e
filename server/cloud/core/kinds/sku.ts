/** What a family sells, with prices as decimal strings; null: it is not sold that way. */
export interface Sku {
  sku: string;
  description: string;
  /** What the prices are for, such as `hour`. */
  unit: string;
  on_demand: string | null;
  spot: string | null;
  reserved_30d: string | null;
  reserved_365d: string | null;
  /** Who set the price; default: svc. */
  source?: "platform";
}

/** An SKU that has one price. */
export const simpleSku = (sku: string, { description, unit, price }: SimpleSku): Sku => ({
  sku,
  description,
  unit,
  on_demand: price,
  spot: null,
  reserved_30d: null,
  reserved_365d: null,
});

interface SimpleSku {
  description: string;
  unit: string;
  price: string;
}
