import { emit, reportError } from "./events";
import type { Offer } from "./offer";
import { renderCard, renderList } from "./render-offers";
import { reportSeen } from "./report-impressions";
import { pageLocale, type SlotRequest } from "./slot-request";
import { applyStyles } from "./styles";
import { watchVisible } from "./watch-visible";

/** Per frame. Text that moves so slowly can be read on; browsers count moves of 3 px and more as layout shifts. */
const GROW_PX = 2;

/** One element that shows offers. */
export interface Slot {
  readonly host: HTMLElement;
  /** Fields that the page set by script; undefined for a slot from markup. */
  overrides?: SlotRequest | undefined;
  /** Incremented with every request, so that late responses can be ignored. */
  version: number;
  /** The attributes and fields of the last request, and the page's URL at that time. */
  lastRequest?: string;
  lastUrl?: string;
  /** Shows the offers, or reports why there are none: the API's reason, or the failure. */
  show(offers: Offer[], reason: string | undefined, failure: unknown): void;
  /** Stops all observers and empties the slot; late responses are ignored. */
  stop(): void;
}

/** Makes an element an offers slot. Throws if it cannot have a shadow root. */
export function mountSlot(host: HTMLElement): Slot {
  const root = host.shadowRoot || host.attachShadow({ mode: "open" });
  const list = renderList();
  let stops: (() => void)[] = [];
  let frame = 0;
  applyStyles(root);
  root.append(list);

  const fill = (cards: HTMLElement[]): void => {
    for (const stop of stops) stop();
    stops = [];
    cancelAnimationFrame(frame);
    const { y, height } = host.getBoundingClientRect();
    // Below the viewport a slot may change its height at once, because nobody sees it.
    const mayBeSeen = y < innerHeight;
    const before = list.offsetHeight;
    list.style.cssText = mayBeSeen ? `min-height:${before}px` : "";
    list.replaceChildren(...cards);
    if (mayBeSeen && host.offsetHeight > height && !matchMedia("(prefers-reduced-motion)").matches)
      grow(before, list.offsetHeight);
  };
  const grow = (px: number, end: number): void => {
    frame = px < end ? requestAnimationFrame(() => grow(px + GROW_PX, end)) : 0;
    list.style.cssText = frame ? `overflow:clip;max-height:${px}px` : "";
  };
  const slot: Slot = {
    host,
    version: 0,
    show(offers, reason, failure) {
      fill(offers.map((offer) => renderCard(offer, pageLocale(host))));
      if (!offers.length) return failure ? reportError(host, failure) : emit(host, "empty", { reason });
      offers.forEach(({ id }, n) => {
        const card = list.children[n] as HTMLElement;
        const seenNow = (): void => {
          reportSeen(id);
          emit(host, "impression", { id });
        };
        stops.push(watchVisible(card, seenNow));
        card.lastChild?.addEventListener("click", () => emit(host, "click", { id }));
      });
      emit(host, "rendered", { ids: offers.map(({ id }) => id) });
    },
    stop() {
      slot.version++;
      fill([]);
      list.remove();
    },
  };
  return slot;
}
