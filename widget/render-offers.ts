import { formatCount, formatPrice } from "./format";
import { iconUrl, type Offer } from "./offer";

export interface Card {
  id: string;
  card: HTMLLIElement;
}

/**
 * One offer as a card. Advertiser text enters as text nodes only, so markup in it is shown, not run. Every card says
 * "Sponsored" to the eye, and so does the name of its link.
 */
export function renderCard(offer: Offer, locale: string): Card {
  const card = element("li", "offer");
  card.append(
    top(offer),
    advertiserText("div", "title", offer.title),
    advertiserText("div", "content", offer.content),
    facts(offer, locale),
    link(offer),
  );
  return { id: offer.id, card };
}

export function renderList(cards: Card[]): HTMLUListElement {
  const list = element("ul", "offers");
  // Safari takes the list role away from a list without bullets.
  list.setAttribute("role", "list");
  list.setAttribute("aria-label", "Sponsored offers");
  list.append(...cards.map(({ card }) => card));
  return list;
}

/** The label stands first in reading order; the sheet moves it to the end of the line. */
function top(offer: Offer): HTMLElement {
  const line = element("div", "top");
  line.append(element("b", "label", "Sponsored"));
  const source = iconUrl(offer);
  if (source) line.append(icon(source));
  line.append(advertiserText("span", "brand", offer.brand?.name));
  return line;
}

function icon(source: string): HTMLImageElement {
  const image = element("img", "icon");
  image.width = image.height = 28;
  image.alt = "";
  image.loading = "lazy";
  image.decoding = "async";
  image.referrerPolicy = "no-referrer";
  image.addEventListener("error", () => image.remove());
  image.src = source;
  return image;
}

function facts(offer: Offer, locale: string): HTMLElement | string {
  const parts = [...priceParts(offer, locale), ...ratingParts(offer, locale)];
  if (!parts.length) return "";
  const line = element("div", "facts");
  line.append(...parts);
  return line;
}

function priceParts({ price }: Offer, locale: string): HTMLElement[] {
  if (!price) return [];
  const { now, before, discount } = formatPrice(price, locale);
  const parts = [element("span", "price", now)];
  if (before) {
    const old = element("s", "before", before);
    old.prepend(element("span", "hush", "Before: "));
    parts.push(old);
  }
  if (discount) parts.push(element("span", "cut", discount));
  return parts;
}

function ratingParts({ rating }: Offer, locale: string): HTMLElement[] {
  if (!rating) return [];
  const [value, scale, count] = [rating.value, rating.scale, rating.count].map((n) => formatCount(n, locale));
  const stars = element("span", "rating", `★ ${value} (${count})`);
  stars.setAttribute("role", "img");
  stars.setAttribute("aria-label", `Rated ${value} out of ${scale} by ${count}`);
  return [stars];
}

function link(offer: Offer): HTMLAnchorElement {
  const anchor = element("a", "cta", offer.cta || "Learn more");
  anchor.dir = "auto";
  anchor.href = offer.clickUrl;
  anchor.rel = "sponsored noopener";
  anchor.target = "_blank";
  // The visible words come first, as speech input needs; the rest tells equal buttons apart.
  anchor.setAttribute("aria-label", `${anchor.textContent}: ${offer.title} (sponsored, opens in a new tab)`);
  return anchor;
}

/** Text in a direction of its own, so that a right-to-left override inside cannot turn what stands beside it. */
function advertiserText(tag: "div" | "span", name: string, text: string | undefined): HTMLElement {
  const node = element(tag, name, text);
  node.dir = "auto";
  return node;
}

/** One name serves as class for our sheet and as part for the page's. */
function element<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, text?: string): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  node.className = name;
  node.setAttribute("part", name);
  if (text) node.textContent = text;
  return node;
}
