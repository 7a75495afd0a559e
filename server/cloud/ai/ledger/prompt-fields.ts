import { z } from "zod";
import { IdText } from "../../../identity/wire-text";

/** As many as the offers API returns at most. */
const OFFERS_MAX = 8;
const OFFERS_DEFAULT = 3;
const CACHE_SECONDS_MAX = 30 * 24 * 3600;

export const SvcOffers = z.strictObject({
  channel_id: IdText.min(1).describe("A channel of the same tenant and mode"),
  limit: z.int().min(1).max(OFFERS_MAX).default(OFFERS_DEFAULT),
  user_id: z
    .string()
    .max(256)
    .optional()
    .describe("Stable user identifier, by which frequency caps count: a keyed hash, never personal data"),
});

export const SvcCache = z.union([
  z.boolean(),
  z.strictObject({ seconds: z.int().min(1).max(CACHE_SECONDS_MAX).describe("How long this answer may be used again") }),
]);

/** Fields of a chat request that are svc's own: upstreams do not receive them. */
export const promptFields = {
  svc_offers: SvcOffers.nullish().describe(
    "Adds sponsored offers that match the last message of the user to the system prompt, as data that the model may mention with a disclosure. The response has `svc_offers` with their ids, click URLs and whether the answer mentions them; of a stream it is a last event before `[DONE]`. An offer that is mentioned counts as an impression. `null` switches off the project's default",
  ),
  svc_cache: SvcCache.nullish().describe(
    "`true`: an equal request of the same project and mode is answered from the cache, at no cost and with the header `x-svc-cache: hit`, and this answer is stored for as long as the project's settings say, or else an hour; `{ seconds }` sets the time; `false`: neither. Requests with offers are not cached",
  ),
};
