import { isUuid, uuidv7Ms } from "../../kernel/ids";
import { OFFER_AHEAD_MS, OFFER_REDIRECTS_MS } from "../limits";

/** Whether an id can be that of an offer which still redirects; anything else is not worth a look into the database. */
export function isServable(id: string, now: number): boolean {
  if (!isUuid(id)) return false;
  const ageMs = now - uuidv7Ms(id);
  return ageMs < OFFER_REDIRECTS_MS && ageMs >= -OFFER_AHEAD_MS;
}
