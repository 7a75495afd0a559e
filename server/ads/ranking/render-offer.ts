import type { Candidate } from "./decision";
import type { OfferRequest } from "./offer-request";
import type { OfferBrand, OfferPrice, OfferRating, ServingCreative } from "./serving";
import { languageOf } from "./tokenizer";

const CONTENT_CHARACTERS_MAX = 300;
const CTA_BY_LANGUAGE: Readonly<Record<string, string>> = {
  de: "Zum Angebot",
  fr: "Voir l’offre",
  es: "Ver oferta",
  it: "Vedi offerta",
  nl: "Bekijk aanbieding",
  pt: "Ver oferta",
};

/** An offer as the wire has it, before it gets its id and clickUrl; what is unknown is absent. */
export interface RenderedOffer {
  title: string;
  content: string;
  cta: string;
  source: "svc";
  ad_type: string;
  brand: OfferBrand;
  product?: { title: string; category?: string };
  price?: OfferPrice;
  rating?: OfferRating;
}

/** What a reader of the page sees of a candidate. Text stays text: nothing in it is markup. */
export function renderOffer(candidate: Candidate, request: Pick<OfferRequest, "placement" | "locale">): RenderedOffer {
  const { item } = candidate;
  const product = item.kind === "product" ? { title: item.title, category: item.category } : item.product;
  return {
    title: item.title,
    content: shortened(item.content || item.title),
    cta: item.kind === "creative" ? item.cta : (candidate.cta ?? ctaFor(request.locale)),
    source: "svc",
    ad_type: request.placement,
    brand: renderBrand(candidate),
    ...(product && { product: withoutGaps({ title: product.title, category: wireCategory(product.category) }) }),
    ...(item.price && { price: renderPrice(item.price) }),
    ...(item.rating && { rating: item.rating }),
  };
}

/** A price with its discount worked out: the whole-number percentage off a higher original price. */
export function renderPrice({ amount, currency, originalPrice, discount }: OfferPrice): OfferPrice {
  if (originalPrice === undefined || originalPrice <= amount) return withoutGaps({ amount, currency, discount });
  const percent = Math.round(((originalPrice - amount) / originalPrice) * 100);
  return withoutGaps({ amount, currency, originalPrice, discount: percent > 0 ? percent : undefined });
}

/** A shop's own page and icon stand beside its own name only, never beside the brand of something that it sells. */
function renderBrand({ item, advertiser }: Candidate): OfferBrand {
  const own: NonNullable<ServingCreative["brand"]> =
    item.kind === "product" ? { name: item.brandName } : (item.brand ?? {});
  const name = own.name || advertiser.name;
  const shop = name === advertiser.name ? advertiser : undefined;
  const iconUrl = own.iconUrl ?? shop?.iconUrl;
  return withoutGaps({
    name,
    url: own.url ?? (shop?.domain === undefined ? undefined : `https://${shop.domain}`),
    iconUrl: iconUrl?.startsWith("https://") ? iconUrl : undefined,
  });
}

const ctaFor = (locale: string): string => CTA_BY_LANGUAGE[languageOf(locale)] ?? "View offer";

const wireCategory = (category: string | undefined): string | undefined =>
  category
    ?.split(">")
    .map((level) => level.trim())
    .filter(Boolean)
    .join(">") || undefined;

/** At most 300 characters, cut between words. */
function shortened(text: string): string {
  if (text.length <= CONTENT_CHARACTERS_MAX) return text;
  const head = text.slice(0, CONTENT_CHARACTERS_MAX - 1);
  const space = head.lastIndexOf(" ");
  return `${head.slice(0, space > 0 ? space : undefined).trimEnd()}…`;
}

type WithoutGaps<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves absent what is undefined, as the wire wants it. */
const withoutGaps = <T extends object>(fields: T): WithoutGaps<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutGaps<T>;
