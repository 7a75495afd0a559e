import { sampleOffers } from "../channels/[id]/sample-offers";

export interface PreviewChoices {
  layout: string;
  theme: string;
  limit: number;
  /** Returns the offers for each request of the slot; default: sample offers. */
  offers?: ((origin: string) => object[]) | undefined;
}

/** The grounds that pages of each theme commonly have; the widget's own palettes are made for such. */
const GROUNDS = { light: "#ffffff", dark: "#111418" } as const;
const PADDING_PX = 16;

/**
 * Fills an empty page with one slot and the widget's script. The page's `fetch` is replaced first, so that
 * the widget receives sample offers and its reports are dropped. Calls back when the page's height changes; returns a function that stops this.
 */
export function mountPreview(
  page: Document,
  { layout, theme, limit, offers = (at) => sampleOffers(at, limit) }: PreviewChoices,
  onHeight: (px: number) => void,
): () => void {
  const view = page.defaultView;
  if (!view) return () => undefined;
  const origin = window.location.origin;
  Object.defineProperty(view, "fetch", {
    value: async () => Response.json({ offers: offers(origin) }),
  });
  // The slot takes its height at once, as for readers who prefer reduced motion.
  Object.defineProperty(view, "matchMedia", { value: () => ({ matches: true }) });
  addPageStyle(page, theme);
  const slot = page.createElement("div");
  slot.dataset.svcOffers = "";
  Object.assign(slot.dataset, { query: "preview", limit: String(limit), layout, theme });
  const script = page.createElement("script");
  Object.assign(script.dataset, { key: `svc_pub_${"a".repeat(48)}` });
  script.src = `${origin}/widget.js`;
  page.body.replaceChildren(slot, script);
  for (const press of ["click", "auxclick"]) page.addEventListener(press, (event) => event.preventDefault());
  const watch = new ResizeObserver(() => onHeight(Math.ceil(slot.getBoundingClientRect().height) + 2 * PADDING_PX));
  watch.observe(slot);
  return () => watch.disconnect();
}

function addPageStyle(page: Document, theme: string): void {
  const { documentElement: root, body } = page;
  root.lang = "en";
  root.style.colorScheme = theme === "auto" ? "light dark" : theme;
  Object.assign(body.style, {
    margin: "0",
    padding: `${PADDING_PX}px`,
    background: `light-dark(${GROUNDS.light}, ${GROUNDS.dark})`,
    fontFamily: getComputedStyle(document.body).fontFamily,
  });
}
