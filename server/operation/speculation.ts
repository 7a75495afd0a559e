import { ServiceError } from "../kernel/errors";

/**
 * The headers with which browsers mark what they load before anyone has asked for it: the standard one, and those of
 * older browsers.
 */
const HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** Whether a browser only prefetches, prerenders or previews; `header` reads a header by its name in lower case. */
export const isSpeculative = (header: (name: string) => string | null | undefined): boolean =>
  HEADERS.some((name) => /prefetch|prerender|preview/i.test(header(name) ?? ""));

/**
 * A browser loads in advance what has an effect. It would show the answer when the link is followed and not send another
 * request, so it gets none: after this status it requests the link again when it is followed.
 */
export class TooEarly extends ServiceError {
  constructor() {
    super("unavailable", "This address is not loaded in advance; open it when you want what it does.", {
      details: { reason: "prefetch" },
    });
  }
}
