import type { Signal } from "./offers-wire";

/** Fields of an offers request that a slot may be given; what is left out is read from the element and the page. */
export interface SlotRequest {
  query?: string;
  context?: string;
  placement?: string;
  limit?: number;
  locale?: string;
  device?: "desktop" | "mobile" | "tablet";
  geo?: string;
  user_id?: string;
  session_id?: string;
  signals?: Signal[];
}

/** What slots tell, by name. */
export interface WidgetEvents {
  rendered: { ids: string[] };
  /** `reason` is `frequency_cap` when the API says so. */
  empty: { reason?: string | undefined };
  /** Half of the offer was seen for a second. */
  impression: { id: string };
  click: { id: string };
  error: { message: string };
}

/** The commands of the widget, as `window.svc` takes them. */
export interface WidgetCommands {
  /** Makes an element a slot; harmless when repeated, and asks anew only when something has changed. */
  (command: "render", element: HTMLElement, request?: SlotRequest): void;
  /** Asks anew, with the given fields laid over the former ones; without an element every slot does. */
  (command: "update", element?: HTMLElement, request?: SlotRequest): void;
  /** Stops and empties a slot. */
  (command: "destroy", element: HTMLElement): void;
  /** Calls `fn` with what happened and the slot it happened in. */
  <E extends keyof WidgetEvents>(
    command: "on",
    event: E,
    fn: (detail: WidgetEvents[E], slot: EventTarget | null) => void,
  ): void;
  /** Drops the id that `data-personalize` keeps. */
  (command: "forget"): void;
}

type Queue = (...call: unknown[]) => void;

/** `window.svc`, typed: does the command, or keeps it until the widget's script has arrived. For browsers only. */
export const svc: WidgetCommands = (...call: unknown[]): void => {
  const page = window as unknown as { svc?: Queue };
  page.svc ||= queue();
  page.svc(...call);
};

/** What the widget looks for when it starts: calls that have waited, in `q`. */
function queue(): Queue {
  const q: unknown[][] = [];
  return Object.assign((...call: unknown[]) => void q.push(call), { q });
}
