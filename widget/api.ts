import { forgetReader } from "./consent";
import { reportError } from "./events";
import { watchPageExit } from "./report-impressions";
import type { SlotRequest } from "./slot-request";
import { destroySlot, renderSlot, updateSlots, watchSlots } from "./watch-slots";

/**
 * The widget's API for the page. Calls made before the script has loaded wait in a queue, if the page defines it:
 * `window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments) }`. No call throws; failures are reported by the `error` event.
 */
export interface Svc {
  /** Makes an element a slot; missing fields are read from the element and the page. Safe to repeat. */
  (command: "render", element: HTMLElement, request?: SlotRequest): void;
  /** Requests new offers, with the given fields merged over the previous ones; without an element, for every slot. */
  (command: "update", element?: HTMLElement, request?: SlotRequest): void;
  /** Stops and empties a slot until it is rendered again. */
  (command: "destroy", element: HTMLElement): void;
  /** Calls `fn` with the event's detail and its slot. */
  (command: "on", event: SvcEvent, fn: (detail: never, slot: EventTarget | null) => void): void;
  /** Deletes the ID that `data-personalize` stores; no new one is created before the next page load. */
  (command: "forget"): void;
  q?: Iterable<unknown>[];
  /** The widget has loaded: calls run immediately. */
  ready?: boolean;
}

/**
 * Details: `rendered` `{ ids }`, `empty` `{ reason }`, `impression` and `click` `{ id }`, `error` `{ message }`. Each also bubbles from the slot as `svc:<name>`.
 */
export type SvcEvent = "rendered" | "empty" | "impression" | "click" | "error";

declare global {
  interface Window {
    svc?: Svc;
  }
}

/** Installs `window.svc` and runs the queued calls. */
export function startApi(): void {
  const commands: Record<string, (...args: never[]) => void> = {
    render: renderSlot,
    update: updateSlots,
    destroy: destroySlot,
    on(name: SvcEvent, fn: (detail: unknown, slot: EventTarget | null) => void) {
      addEventListener(`svc:${name}`, (event) => fn((event as CustomEvent).detail, event.target));
    },
    forget: forgetReader,
  };
  const run = (command: string, ...args: never[]): void => {
    try {
      commands[command]?.(...args);
    } catch (error) {
      reportError(document, error);
    }
  };
  const waiting = window.svc?.q || [];
  run.ready = true;
  window.svc = run as Svc;
  for (const call of waiting) run(...(call as [string]));
  watchSlots();
  watchPageExit();
}
