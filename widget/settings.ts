/** What the script tag says about the whole page. */
export interface Settings {
  /** Origin that the script came from: the API lives there, and offer links may lead only there. */
  origin: string;
  /** The channel's publishable key, `svc_pub_…`. */
  key: string;
  /** Only what the publisher passes; the widget itself remembers nobody. */
  userId: string | undefined;
  /** One console line for each failure. */
  debug: boolean;
}

/** Reads the script tag, or undefined when the page carries no tag with an absolute `src`. */
export function readSettings(script: HTMLScriptElement | null): Settings | undefined {
  if (!script?.src) return undefined;
  const { key = "", userId, debug } = script.dataset;
  return { origin: new URL(script.src).origin, key, userId, debug: debug !== undefined };
}
