import { isUuid, uuidv7Ms } from "../../kernel/ids";
import { OFFER_AHEAD_MS, OFFER_REDIRECTS_MS } from "../limits";

/** Whether a text has the format of an offer id: a UUID version 7. */
export const isOfferId = (id: string): boolean => isUuid(id) && id.charAt(14) === "7";

/** Whether an id can belong to an offer that still redirects; all other ids need no database query. */
export function isServable(id: string, now: number): boolean {
  if (!isUuid(id)) return false;
  const ageMs = now - uuidv7Ms(id);
  return ageMs < OFFER_REDIRECTS_MS && ageMs >= -OFFER_AHEAD_MS;
}
