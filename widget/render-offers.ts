import { labelIn } from "./label";
import type { Offer } from "./offer";

/**
 * One offer as a card. Advertiser text is inserted as text nodes only, so markup in it is shown, not executed. Every card shows the label of advertising, and so does the accessible name of its link, which is its last child. The label comes first in reading order; the style sheet moves it to the end of the line.
 */
export function renderCard(offer: Offer, locale: string): HTMLElement {
  const { title, content, brand } = offer;
  const top = [
    make("span", "label", [labelIn(locale)]),
    icon(brand?.iconUrl),
    advertiserText("span", "brand", brand?.name),
  ];
  return make("li", "offer", [
    make("div", "top", top),
    advertiserText("b", "title", title),
    advertiserText("div", "content", content),
    make("div", "facts", [...priceParts(offer, locale), rating(offer, locale)]),
    link(offer, labelIn(locale)),
  ]);
}

/** An empty list. The explicit role is for Safari, which removes it from lists without bullets. */
export function renderList(): HTMLElement {
  return make("ul", "offers", [], { role: "list" });
}

function icon(src: unknown): Part {
  const fields = {
    width: 28,
    height: 28,
    alt: "",
    loading: "lazy",
    referrerPolicy: "no-referrer",
    onerror(this: HTMLElement): void {
      this.remove();
    },
    src,
  };
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
  const [value, scale, count] = [given.value, given.scale, given.count].map((n) => format(n, locale));
  return make("span", "rating", [`★ ${value}/${scale} (${count})`]);
}

function link({ cta, title, clickUrl }: Offer, label: string): HTMLElement {
  return make("a", "cta", [cta], {
    dir: "auto",
    href: clickUrl,
    rel: "sponsored noopener",
    target: "_blank",
    // The visible text comes first for speech input; the rest distinguishes equal buttons.
    ariaLabel: `${cta}: ${title} (${label})`,
  });
}

/** Text with its own direction, so that a right-to-left override cannot affect its surroundings. */
function advertiserText(name: "b" | "div" | "span", part: string, text?: string): HTMLElement {
  return make(name, part, [text], { dir: "auto" });
}

type Part = Node | string | false | undefined;

/** The name is both the class for our style sheet and the part for the page's. */
function make(tag: string, name: string, ...[parts, fields]: [Part[], object?]): HTMLElement {
  const node = Object.assign(document.createElement(tag), { className: name, part: name }, fields);
  node.append(...parts.filter((part): part is Node | string => !!part));
  return node;
}

/** Falls back to plain digits and the currency code for an unknown locale or currency. */
function format(value: number, locale: string, options?: Intl.NumberFormatOptions): string {
  try {
    return value.toLocaleString(locale, options);
  } catch {
    return `${value} ${options?.currency || ""}`.trim();
  }
}
