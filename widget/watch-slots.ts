import { reportError } from "./events";
import { askFor } from "./request-offers";
import { mountSlot, type Slot } from "./slot";
import type { SlotRequest } from "./slot-request";
import { currentPlace, watchPlace } from "./watch-place";

const SELECTOR = "[data-svc-offers]";
const ASKING = ["data-query", "data-context", "data-placement", "data-limit"];

/** An element that cannot be a slot (a link, an image), or whose slot was destroyed, has none. */
const slots = new Map<Element, Slot | undefined>();

/** An element asks when it is at most a screen away; those that come near together can share a request. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      const slot = slots.get(target);
      if (slot) askFor(slot);
    }
  },
  { rootMargin: "100%" },
);

/**
 * Keeps one slot for each marked or rendered element of the page, now and as the page changes: added elements are
 * filled, removed ones stop, changed attributes and, where the query is the page's own, a changed address ask again.
 */
export function watchSlots(): void {
  watchPlace(() => {
    for (const slot of slots.values()) {
      const isInferred = slot && (slot.given?.query ?? slot.host.dataset.query) === undefined;
      if (isInferred && slot.place !== currentPlace()) refresh(slot, true);
    }
  });
  new MutationObserver(sync).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: [SELECTOR.slice(1, -1), ...ASKING],
  });
  sync();
}

/** Makes an element a slot; what the request leaves out is read from the element and the page. */
export function renderSlot(host: HTMLElement, request: SlotRequest = {}): void {
  const slot = slots.get(host) || mount(host);
  if (!slot) return;
  slot.given = request;
  refresh(slot, false);
}

/** Asks anew, with the given fields laid over the former ones; without an element every slot does. */
export function updateSlots(host?: HTMLElement, request?: SlotRequest): void {
  for (const slot of host ? [slots.get(host)] : slots.values()) {
    if (!slot) continue;
    if (request) slot.given = { ...slot.given, ...request };
    refresh(slot, true);
  }
}

/** Stops and empties a slot; it stays so until it is rendered again. */
export function destroySlot(host: Element): void {
  near.unobserve(host);
  slots.get(host)?.destroy();
  slots.set(host, undefined);
}

function sync(): void {
  for (const host of document.querySelectorAll<HTMLElement>(SELECTOR)) if (!slots.has(host)) mount(host);
  for (const [host, slot] of slots) {
    if (host.isConnected && (slot?.given || host.matches(SELECTOR))) {
      if (slot) refresh(slot, false);
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

/** Asks anew, without `force` only when the slot's own attributes or fields changed: a title that flickers must not mint offers. */
function refresh(slot: Slot, force: boolean): void {
  const { host, given } = slot;
  const wanted = JSON.stringify([ASKING.map((name) => host.getAttribute(name)), { ...given }]);
  if (wanted === slot.asked && !force) return;
  slot.asked = wanted;
  // A field that is there but undefined would stand before what the element and the page tell.
  slot.given = given && JSON.parse(JSON.stringify(given));
  slot.place = currentPlace();
  slot.turn++;
  slot.reserve();
  near.observe(host);
}
