import { reportError } from "./events";
import { requestOffers } from "./request-offers";
import { mountSlot, type Slot } from "./slot";
import type { SlotRequest } from "./slot-request";
import { currentUrl, watchUrl } from "./watch-url";

const SELECTOR = "[data-svc-offers]";
const REQUEST_ATTRIBUTES = "data-query data-context data-placement data-limit".split(" ");

/** Undefined for an element that cannot be a slot (a link, an image) and for a destroyed slot. */
const slots = new Map<Element, Slot | undefined>();

/** Slots request offers when they are at most one screen away; slots that come near together can share a request. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const slot = isIntersecting && slots.get(target);
      if (slot) {
        near.unobserve(target);
        requestOffers(slot);
      }
    }
  },
  { rootMargin: "100%" },
);

/**
 * Keeps one slot per marked or rendered element as the page changes: added elements are filled, removed ones stop, and changed attributes or, for inferred queries, a changed URL trigger a new request.
 */
export function watchSlots(): void {
  watchUrl(() => {
    for (const slot of slots.values()) {
      const isInferred = slot && (slot.overrides?.query ?? slot.host.dataset.query) === undefined;
      if (isInferred && slot.lastUrl !== currentUrl()) requestIfChanged(slot, true);
    }
  });
  new MutationObserver(sync).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: [SELECTOR.slice(1, -1), ...REQUEST_ATTRIBUTES],
  });
  sync();
}

/** Makes an element a slot; missing fields are read from the element and the page. */
export function renderSlot(host: HTMLElement, request: SlotRequest = {}): void {
  const slot = slots.get(host) || mount(host);
  if (!slot) return;
  slot.overrides = request;
  requestIfChanged(slot, false);
}

/** Requests new offers, with the given fields merged over the previous ones; without an element, for every slot. */
export function updateSlots(host?: HTMLElement, request?: SlotRequest): void {
  for (const slot of host ? [slots.get(host)] : slots.values()) {
    if (!slot) continue;
    if (request) slot.overrides = { ...slot.overrides, ...request };
    requestIfChanged(slot, true);
  }
}

/** Stops and empties a slot until it is rendered again. */
export function destroySlot(host: Element): void {
  near.unobserve(host);
  slots.get(host)?.stop();
  slots.set(host, undefined);
}

function sync(): void {
  for (const host of document.querySelectorAll<HTMLElement>(SELECTOR)) if (!slots.has(host)) mount(host);
  for (const [host, slot] of slots) {
    if (host.isConnected && (slot?.overrides || host.matches(SELECTOR))) {
      if (slot) requestIfChanged(slot, false);
    } else {
      destroySlot(host);
      slots.delete(host);
    }
  }
}

function mount(host: HTMLElement): Slot | undefined {
  let slot: Slot | undefined;
  try {
    slot = mountSlot(host);
  } catch (error) {
    reportError(host, error);
  }
  slots.set(host, slot);
  return slot;
}

/** Requests offers if the slot's attributes or fields have changed, or with `force`. A changing title alone triggers no request. */
function requestIfChanged(slot: Slot, force: boolean): void {
  const { host, overrides } = slot;
  const wanted = JSON.stringify([REQUEST_ATTRIBUTES.map((name) => host.getAttribute(name)), { ...overrides }]);
  if (wanted === slot.lastRequest && !force) return;
  slot.lastRequest = wanted;
  // Removes undefined fields, which would override the values of the element and the page.
  slot.overrides = overrides && JSON.parse(wanted)[1];
  slot.lastUrl = currentUrl();
  slot.version++;
  near.observe(host);
}
