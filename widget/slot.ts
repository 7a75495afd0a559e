import { emit, reportError } from "./events";
import type { Offer } from "./offer";
import { renderCard, renderList, renderPlaceholder } from "./render-offers";
import { reportSeen } from "./report-impressions";
import { pageLocale, type SlotRequest, slotLimit } from "./slot-request";
import { applyStyles } from "./styles";
import { watchVisible } from "./watch-visible";

const CARDS_MAX = 8;

/** One element that shows offers. */
export interface Slot {
  readonly host: HTMLElement;
  /** Fields that the page set by script; undefined for a slot from markup. */
  overrides: SlotRequest | undefined;
  /** Incremented with every request, so that late responses can be ignored. */
  version: number;
  /** The attributes and fields of the last request, and the page's URL at that time. */
  lastRequest: string;
  lastUrl: string;
  /** Reserves the space for the requested offers until the response arrives. */
  reserve(): void;
  /** Shows the offers, or reports why there are none: the API's reason, or the failure. */
  show(offers: Offer[], why: { reason: string | undefined; failure: unknown }): void;
  /** Stops all observers and empties the slot; late responses are ignored. */
  destroy(): void;
}

/** Makes an element an offers slot. Throws if it cannot have a shadow root. */
export function mountSlot(host: HTMLElement): Slot {
  const root = host.shadowRoot || host.attachShadow({ mode: "open" });
  const list = renderList();
  let stops: (() => void)[] = [];
  applyStyles(root);

  const fill = (cards: HTMLElement[]): void => {
    for (const stop of stops) stop();
    list.inert = !cards.length;
    const places = Math.min(slotLimit(slot), CARDS_MAX);
    while (cards.length < places) cards.push(renderPlaceholder());
    list.replaceChildren(...cards);
    root.append(list);
    stops = [];
  };
  // An empty slot in view keeps its height; one below the viewport collapses.
  const showEmpty = (): void => {
    fill([]);
    const away = new IntersectionObserver((entries) => {
      for (const { isIntersecting, boundingClientRect } of entries)
        if (!isIntersecting && boundingClientRect.top > 0) list.remove();
    });
    away.observe(host);
    stops.push(() => away.disconnect());
  };
  const slot: Slot = {
    host,
    overrides: undefined,
    version: 0,
    lastRequest: "",
    lastUrl: "",
    reserve() {
      if (!list.parentNode) fill([]);
    },
    show(offers, { reason, failure }) {
      if (!offers.length) {
        showEmpty();
        return failure ? reportError(host, failure) : emit(host, "empty", { reason });
      }
      fill(offers.map((offer) => renderCard(offer, pageLocale(host))));
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
    destroy() {
      slot.version++;
      fill([]);
      list.remove();
    },
  };
  return slot;
}
