import type { Offer } from "./offer";

type Price = NonNullable<Offer["price"]>;

export interface PriceTexts {
  now: string;
  /** The price before, and what the cut is worth; absent unless it is really lower now. */
  before: string | undefined;
  discount: string | undefined;
}

/** `{ amount: 89, currency: "EUR", originalPrice: 120, discount: 26 }` -> `€89.00`, `€120.00`, `-26%` in the locale's own form. */
export function formatPrice(price: Price, locale: string): PriceTexts {
  const { amount, currency, originalPrice, discount } = price;
  const money = (value: number): string => format(value, locale, { style: "currency", currency });
  return {
    now: money(amount),
    before: originalPrice && originalPrice > amount ? money(originalPrice) : undefined,
    discount: discount && discount > 0 ? format(-discount / 100, locale, { style: "percent" }) : undefined,
  };
}

/** At most one decimal: 4.63 -> `4.6`, 1203 -> `1,203`. */
export function formatCount(value: number, locale: string): string {
  return format(value, locale, { maximumFractionDigits: 1 });
}

function format(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  try {
    return new Intl.NumberFormat(locale, options).format(value);
  } catch {
    // An unknown locale or currency must not cost the offer: plain digits and the code as given.
    return [value, options.currency].filter((part) => part !== undefined).join(" ");
  }
}
