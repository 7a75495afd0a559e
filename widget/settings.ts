const script = (document.currentScript ||
  document.querySelector("script[src][data-key^=svc_]")) as HTMLScriptElement | null;

/**
 * The script tag's data attributes, which apply to the whole page: `key` (the channel's browser key), `api` (the API's address, if the script comes from another host), `userId` (set by the publisher), `personalize` (allows a stored random ID, subject to consent), `debug` (one console line per failure).
 */
export const tag: DOMStringMap = script?.dataset || {};

/**
 * The origin of `data-api`, else of the script: the API is there, and offer links must lead there. Empty without a script tag that has a `src`.
 */
export const origin = script?.src ? new URL(tag.api || "", script.src).origin : "";
