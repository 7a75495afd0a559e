const script = (document.currentScript ||
  document.querySelector("script[src][data-key^=svc_]")) as HTMLScriptElement | null;

/**
 * The script tag's data attributes, which speak for the whole page: `key` (the channel's publishable key), `userId` (what
 * the publisher passes), `personalize` (a random id of ours may be kept where nothing refuses it), `debug` (one console
 * line for each failure).
 */
export const tag: DOMStringMap = script?.dataset || {};

/** Where the script came from: the API lives there, and offer links may lead only there. Empty without a tag that has an address. */
export const origin = script?.src ? new URL(script.src).origin : "";
