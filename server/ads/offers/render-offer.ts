import { languageOf } from "../../guard/text/tokenizer";
import type { Candidate } from "../ranking/decision";
import type { OfferRequest } from "../serving/offer-request";
import { priceAt } from "../serving/price-at";
import type { OfferBrand, OfferPrice, OfferRating, ServingCreative } from "../serving/serving";

const CONTENT_CHARACTERS_MAX = 300;
const CTA_BY_LANGUAGE: Readonly<Record<string, string>> = {
  de: "Zum Angebot",
  fr: "Voir l’offre",
  es: "Ver oferta",
  it: "Vedi offerta",
  nl: "Bekijk aanbieding",
  pt: "Ver oferta",
};

/** An offer in wire format, before its id and clickUrl are added; unknown fields are omitted. */
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

/** The text and images of a candidate that users see; `nowMs` decides about dated sales. Text is plain and never interpreted as markup. */
export function renderOffer(
  candidate: Candidate,
  request: Pick<OfferRequest, "placement" | "locale">,
  nowMs: number,
): RenderedOffer {
  const { item } = candidate;
  const price = priceAt(item, nowMs);
  const product = item.kind === "product" ? { title: item.title, category: item.category } : item.product;
  return {
    title: item.title,
    content: shortened(item.content || item.title),
    cta: item.kind === "creative" ? item.cta : (candidate.cta ?? ctaFor(request.locale)),
    source: "svc",
    ad_type: request.placement,
    brand: renderBrand(candidate),
    ...(product && { product: withoutGaps({ title: product.title, category: wireCategory(product.category) }) }),
    ...(price && { price: renderPrice(price) }),
    ...(item.rating && { rating: item.rating }),
  };
}

/** A price with the discount as a whole-number percentage off a higher original price. */
export function renderPrice({ amount, currency, originalPrice, discount }: OfferPrice): OfferPrice {
  if (originalPrice === undefined || originalPrice <= amount) return withoutGaps({ amount, currency, discount });
  const percent = Math.round(((originalPrice - amount) / originalPrice) * 100);
  return withoutGaps({ amount, currency, originalPrice, discount: percent > 0 ? percent : undefined });
}

/** A shop's page and icon appear only with the shop's own name, never with the brand of a product that it sells. */
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

/** At most 300 characters, cut at a word boundary. */
function shortened(text: string): string {
  if (text.length <= CONTENT_CHARACTERS_MAX) return text;
  const head = text.slice(0, CONTENT_CHARACTERS_MAX - 1);
  const space = head.lastIndexOf(" ");
  return `${head.slice(0, space > 0 ? space : undefined).trimEnd()}…`;
}

type WithoutGaps<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Omits undefined fields. */
const withoutGaps = <T extends object>(fields: T): WithoutGaps<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutGaps<T>;
