import { type OffersAnswer, showable } from "./offer";
import type { Page } from "./page";
import { renderCard, renderList } from "./render-offers";
import { pageLocale, readRequest, requestOffers } from "./request-offers";
import { dress } from "./styles";
import { watchVisible } from "./watch-visible";

export interface Slot {
  /** Asks for offers by the element's attributes of this moment; what was asked before is dropped. */
  ask(): void;
  /** Stops the request under way and all observers, and clears the slot. */
  destroy(): void;
}

/**
 * Makes an element an offers slot. Tells of what happens by bubbling events on the element: `svc:rendered` `{ ids }`,
 * `svc:empty` `{ reason }`, `svc:error` `{ message }`, `svc:impression` `{ id }`.
 * Throws where the element cannot carry a shadow root.
 */
export function mountSlot(host: HTMLElement, page: Page): Slot {
  const root = host.shadowRoot || host.attachShadow({ mode: "open" });
  let list: HTMLElement | undefined;
  let stops: Array<() => void> = [];
  let turn = new AbortController();
  dress(root);

  const clear = (): void => {
    for (const stop of stops) stop();
    stops = [];
    list?.remove();
  };
  const show = (answer: OffersAnswer): void => {
    clear();
    const offers = showable(answer.offers, page.settings.origin);
    const cards = offers.map((offer) => renderCard(offer, pageLocale(host)));
    list = renderList(cards);
    if (cards.length) root.append(list);
    stops = cards.map(({ id, card }) => watchVisible(card, () => seen(id)));
    if (cards.length) emit(host, "rendered", { ids: cards.map(({ id }) => id) });
    else emit(host, "empty", { reason: answer.reason });
  };
  const seen = (id: string): void => {
    page.seen(id);
    emit(host, "impression", { id });
  };
  const fail = (error: unknown): void => {
    clear();
    reportError(host, page, error);
  };

  return {
    ask() {
      turn.abort();
      turn = new AbortController();
      const { signal } = turn;
      // Aborting alone is not enough: an answer that has just arrived must not overwrite a newer one either.
      requestOffers(page.settings, readRequest(host, page.settings), signal)
        .then((answer) => signal.aborted || show(answer))
        .catch((error) => signal.aborted || fail(error));
    },
    destroy() {
      turn.abort();
      clear();
    },
  };
}

/** `svc:error` on the slot, and with `data-debug` one line on the console: all that a failure may do to the page. */
export function reportError(host: HTMLElement, page: Page, error: unknown): void {
  const message = String(error);
  emit(host, "error", { message });
  // biome-ignore lint/suspicious/noConsole: the one line that a publisher asks for with data-debug
  if (page.settings.debug) console.warn(`svc: no offers for this slot: ${message}`, host);
}

function emit(host: HTMLElement, name: string, detail: object): void {
  host.dispatchEvent(new CustomEvent(`svc:${name}`, { bubbles: true, detail }));
}
