import type { Page } from "./page";
import { mountSlot, reportError, type Slot } from "./slot";

const SELECTOR = "[data-svc-offers]";
const ASKING = ["data-query", "data-context", "data-placement", "data-limit"];

interface Mounted {
  slot: Slot | undefined;
  /** The attribute values it last asked with. */
  asked: string | undefined;
}

/**
 * Keeps one slot for each marked element of the page, now and as the page changes: added elements are filled, removed
 * ones stop, changed attributes ask again. Returns what makes every slot ask again.
 */
export function watchSlots(page: Page): () => void {
  const mounted = new Map<HTMLElement, Mounted>();

  const sync = (): void => {
    for (const [host, { slot }] of mounted) {
      if (host.isConnected && host.matches(SELECTOR)) continue;
      slot?.destroy();
      mounted.delete(host);
    }
    for (const host of document.querySelectorAll<HTMLElement>(SELECTOR)) {
      const entry = mounted.get(host) || { slot: mount(host, page), asked: undefined };
      mounted.set(host, entry);
      // Only the slot's own attributes: a title or language that flickers must not mint offers.
      const wanted = JSON.stringify(ASKING.map((name) => host.getAttribute(name)));
      if (wanted !== entry.asked) entry.slot?.ask();
      entry.asked = wanted;
    }
  };

  new MutationObserver(sync).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: [SELECTOR.slice(1, -1), ...ASKING],
  });
  sync();
  return () => {
    for (const { slot } of mounted.values()) slot?.ask();
  };
}

/** An element that cannot be a slot (a link, an image) stays as it is. */
function mount(host: HTMLElement, page: Page): Slot | undefined {
  try {
    return mountSlot(host, page);
  } catch (error) {
    reportError(host, page, error);
    return undefined;
  }
}
