import type { Keyword } from "../ranking/serving";

/** One campaign of the demo: an invented brand, what it says, and where it runs. */
export interface DemoBrand {
  slug: string;
  name: string;
  /** The campaign's category, levels joined by `>`. */
  category: string;
  /** Languages that it speaks; empty: everywhere. */
  locales: readonly string[];
  geos?: readonly string[];
  devices?: readonly string[];
  model: "cpc" | "cpm";
  bidMicros: number;
  title: string;
  content: string;
  cta: string;
  /** `match:text` */
  keywords: readonly string[];
  price?: { amount: number; currency: string; original_price?: number };
  rating?: { value: number; scale: number; count: number };
  /** Sells products of this shelf. */
  shelf?: string;
}

/** `match:text`, as a campaign keeps it. */
export const keywordOf = (text: string): Keyword => {
  const [match = "broad", words = ""] = text.split(":");
  return { match: match as Keyword["match"], text: words };
};

/** A rating on five stars. */
export const stars = (value: number, count: number) => ({ value, scale: 5, count });
