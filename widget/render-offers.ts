import type { Offer } from "./offer";

/** More of a text than any layout has room for. */
const TEXT_LENGTH = 300;

/**
 * One offer as a card. Advertiser text enters as text nodes only, so markup in it is shown, not run. Every card says
 * "Sponsored" to the eye, and so does the name of its link, which is its last child. The label stands first in reading
 * order; the sheet moves it to the end of the line.
 */
export function renderCard(offer: Offer, locale: string): HTMLElement {
  const { title, content, brand } = offer;
  const top = [
    make("span", "label", ["Sponsored"]),
    icon(brand?.iconUrl),
    advertiserText("span", "brand", brand?.name),
  ];
  return make("li", "offer", [
    make("div", "top", top),
    advertiserText("b", "title", title),
    advertiserText("div", "content", content),
    make("div", "facts", [...priceParts(offer, locale), rating(offer, locale)]),
    link(offer),
  ]);
}

/** An empty list; it is nothing to read until it is filled. Safari takes the role away from a list without bullets. */
export function renderList(): HTMLElement {
  return make("ul", "offers", [], { role: "list", ariaLabel: "Sponsored offers" });
}

/** Takes the room of a card, unseen. */
export function renderPlaceholder(): HTMLElement {
  return document.createElement("li");
}

function icon(src: unknown): Part {
  const onerror = function (this: HTMLElement): void {
    this.remove();
  };
  const fields = { width: 28, height: 28, alt: "", loading: "lazy", referrerPolicy: "no-referrer", onerror, src };
  return /^https:/.test(src as string) && make("img", "icon", [], fields);
}

function priceParts({ price }: Offer, locale: string): Part[] {
  if (!price) return [];
  const { amount, currency, originalPrice = 0, discount = 0 } = price;
  const money = (value: number): string => format(value, locale, { style: "currency", currency });
  return [
    amount >= 0 && make("b", "price", [money(amount)]),
    originalPrice > amount && make("s", "before", [money(originalPrice)]),
    discount > 0 && make("b", "cut", [format(-discount / 100, locale, { style: "percent" })]),
  ];
}

function rating({ rating: given }: Offer, locale: string): Part {
  if (!given?.count) return undefined;
  const [value, scale, count] = [given.value, given.scale, given.count].map((n) =>
    format(n, locale, { maximumFractionDigits: 1 }),
  );
  return make("span", "rating", [`★ ${value}/${scale} (${count})`]);
}

function link({ cta, title, clickUrl }: Offer): HTMLElement {
  return make("a", "cta", [short(cta)], {
    dir: "auto",
    href: clickUrl,
    rel: "sponsored noopener",
    target: "_blank",
    // The visible words come first, as speech input needs; the rest tells equal buttons apart.
    ariaLabel: `${short(`${cta}: ${title}`)} (sponsored, opens in a new tab)`,
  });
}

/** Text in a direction of its own, so that a right-to-left override inside cannot turn what stands beside it. */
function advertiserText(name: "b" | "div" | "span", part: string, text?: string): HTMLElement {
  return make(name, part, [short(text)], { dir: "auto" });
}

type Part = Node | string | false | undefined;

/** One name serves as class for our sheet and as part for the page's. */
function make(tag: string, name: string, ...[parts, fields]: [Part[], object?]): HTMLElement {
  const node = Object.assign(document.createElement(tag), { className: name, part: name }, fields);
  node.append(...parts.filter((part): part is Node | string => !!part));
  return node;
}

function short(text: unknown): string {
  return `${text ?? ""}`.slice(0, TEXT_LENGTH);
}

/** An unknown locale or currency must not cost the offer: then plain digits, and the code as given. */
function format(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  try {
    return new Intl.NumberFormat(locale, options).format(value);
  } catch {
    return `${value} ${options.currency || ""}`.trim();
  }
}
