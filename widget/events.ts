import { tag } from "./settings";

/** Tells the page: an event that bubbles from the slot, out of foreign shadow roots too. */
export function emit(target: EventTarget, name: string, detail: object): void {
  target.dispatchEvent(new CustomEvent(`svc:${name}`, { bubbles: true, composed: true, detail }));
}

/** `svc:error`, and with `data-debug` one line on the console: all that a failure may do to the page. */
export function reportError(target: EventTarget, error: unknown): void {
  const message = `${error}`;
  emit(target, "error", { message });
  // biome-ignore lint/suspicious/noConsole: the one line that a publisher asks for with data-debug
  if ("debug" in tag) console.warn(`svc: no offers: ${message}`, target);
}
