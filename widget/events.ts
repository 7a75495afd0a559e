import { tag } from "./settings";

/** Dispatches an event that bubbles from the slot, also out of the page's shadow roots. */
export function emit(target: EventTarget, name: string, detail: object): void {
  target.dispatchEvent(new CustomEvent(`svc:${name}`, { bubbles: true, composed: true, detail }));
}

/** A failure causes only `svc:error` and, with `data-debug`, one console line. */
export function reportError(target: EventTarget, error: unknown): void {
  const message = `${error}`;
  emit(target, "error", { message });
  // biome-ignore lint/suspicious/noConsole: the one line that a publisher asks for with data-debug
  if ("debug" in tag) console.warn(`svc: no offers: ${message}`, target);
}
