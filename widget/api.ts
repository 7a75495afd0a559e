import { forgetReader } from "./consent";
import { reportError } from "./events";
import { watchLeaving } from "./report-impressions";
import type { SlotRequest } from "./slot-request";
import { destroySlot, renderSlot, updateSlots, watchSlots } from "./watch-slots";

/**
 * The page's way to the widget. Before the script has arrived calls wait in a queue, when the page defines it:
 * `window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments) }`. No call throws; what fails is told
 * by the `error` event.
 */
export interface Svc {
  /** Makes an element a slot; what the request leaves out is read from the element and the page. Harmless when repeated. */
  (command: "render", element: HTMLElement, request?: SlotRequest): void;
  /** Asks anew, with the given fields laid over the former ones; without an element every slot does. */
  (command: "update", element?: HTMLElement, request?: SlotRequest): void;
  /** Stops and empties a slot; it stays so until it is rendered again. */
  (command: "destroy", element: HTMLElement): void;
  /** Calls `fn` with what happened and the slot it happened in. */
  (command: "on", event: SvcEvent, fn: (detail: never, slot: EventTarget | null) => void): void;
  /** Drops the id that `data-personalize` keeps; none is made again before the next page. */
  (command: "forget"): void;
  q?: Iterable<unknown>[];
  /** The widget is here: calls are done at once. */
  ready?: boolean;
}

/**
 * Details: `rendered` `{ ids }`, `empty` `{ reason }`, `impression` and `click` `{ id }`, `error` `{ message }`. All
 * bubble from the slot as `svc:<name>`, too.
 */
export type SvcEvent = "rendered" | "empty" | "impression" | "click" | "error";

declare global {
  interface Window {
    svc?: Svc;
  }
}

/** Takes over `window.svc` and does what has waited there. */
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
  watchLeaving();
}
