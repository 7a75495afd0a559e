import { tag } from "./settings";

/** Dispatches an event that bubbles from the slot, also out of the page's shadow roots. */
export function emit(target: EventTarget, name: string, detail: object): void {
  target.dispatchEvent(new CustomEvent(`svc:${name}`, { bubbles: true, composed: true, detail }));
}

let isWarned: boolean | undefined;

/**
 * A failure causes `svc:error`. With `data-debug` each one is also a console line; otherwise only the first that the publisher can fix.
 */
export function reportError(target: EventTarget, error: unknown): void {
  const message = `${error}`;
  emit(target, "error", { message });
  // Such as 401, which the publisher can fix in the script tag or on the channel's page in the dashboard.
  const isSetUp = /^(40|check)/.test(message);
  if (!("debug" in tag) && (isWarned || !isSetUp)) return;
  isWarned = true;
  // biome-ignore lint/suspicious/noConsole: the lines that a publisher asks for with data-debug, or needs
  console.warn(`svc: ${message}`, target);
}
