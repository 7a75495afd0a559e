import { emit, reportError } from "./events";
import type { Offer } from "./offer";
import { renderCard, renderList, renderPlaceholder } from "./render-offers";
import { reportSeen } from "./report-impressions";
import { pageLocale, type SlotRequest, slotLimit } from "./slot-request";
import { dress } from "./styles";
import { watchVisible } from "./watch-visible";

const PLACES_MAX = 8;

/** One element that shows offers. */
export interface Slot {
  readonly host: HTMLElement;
  /** What the page gave by script; a slot of the markup has none. */
  given: SlotRequest | undefined;
  /** Counts what it asked, so that an older answer is known by its number. */
  turn: number;
  /** Attributes and fields that it last asked with, and where the page was then. */
  asked: string;
  place: string;
  /** Holds the room of what was asked for until the answer is there. */
  reserve(): void;
  /** Shows the offers, or tells why there are none: the API's reason, or what went wrong. */
  show(offers: Offer[], why: { reason: string | undefined; failure: unknown }): void;
  /** Stops all observers and empties the slot; a late answer finds nobody. */
  destroy(): void;
}

/** Makes an element an offers slot. Throws where it cannot carry a shadow root. */
export function mountSlot(host: HTMLElement): Slot {
  const root = host.shadowRoot || host.attachShadow({ mode: "open" });
  const list = renderList();
  let stops: (() => void)[] = [];
  dress(root);

  const fill = (cards: HTMLElement[]): void => {
    for (const stop of stops) stop();
    list.inert = !cards.length;
    const places = Math.min(slotLimit(slot), PLACES_MAX);
    while (cards.length < places) cards.push(renderPlaceholder());
    list.replaceChildren(...cards);
    root.append(list);
    stops = [];
  };
  // What the reader sees keeps its height, and what is still to come below gives it up.
  const rest = (): void => {
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
    given: undefined,
    turn: 0,
    asked: "",
    place: "",
    reserve() {
      if (!list.parentNode) fill([]);
    },
    show(offers, { reason, failure }) {
      if (!offers.length) {
        rest();
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
      slot.turn++;
      fill([]);
      list.remove();
    },
  };
  return slot;
}
