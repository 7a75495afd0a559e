import type { Signal } from "./offers-wire";

/** Fields of a slot's offers request; missing ones are read from the element and the page. */
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

/** The details of each event, by name. */
export interface WidgetEvents {
  rendered: { ids: string[] };
  /** `reason` is `frequency_cap` when the API says so. */
  empty: { reason?: string | undefined };
  /** Half of the offer was visible for one second. */
  impression: { id: string };
  click: { id: string };
  error: { message: string };
}

/** The commands of the widget, as `window.svc` takes them. */
export interface WidgetCommands {
  /** Makes an element a slot. Safe to repeat: new offers are requested only when something has changed. */
  (command: "render", element: HTMLElement, request?: SlotRequest): void;
  /** Requests new offers, with the given fields merged over the previous ones; without an element, for every slot. */
  (command: "update", element?: HTMLElement, request?: SlotRequest): void;
  /** Stops and empties a slot. */
  (command: "destroy", element: HTMLElement): void;
  /** Calls `fn` with the event's detail and its slot. */
  <E extends keyof WidgetEvents>(
    command: "on",
    event: E,
    fn: (detail: WidgetEvents[E], slot: EventTarget | null) => void,
  ): void;
  /** Deletes the ID that `data-personalize` stores. */
  (command: "forget"): void;
}

type Queue = (...call: unknown[]) => void;

/** `window.svc`, typed: runs the command, or queues it until the widget's script has loaded. For browsers only. */
export const svc: WidgetCommands = (...call: unknown[]): void => {
  const page = window as unknown as { svc?: Queue };
  page.svc ||= queue();
  page.svc(...call);
};

/** The queue that the widget reads when it starts: waiting calls, in `q`. */
function queue(): Queue {
  const q: unknown[][] = [];
  return Object.assign((...call: unknown[]) => void q.push(call), { q });
}
