import { z } from "zod";
import { IdText, Moment, NameText } from "../../../identity/wire-text";

/** The largest amounts that stay exact in JSON. */
const AMOUNT_MICROS_MAX = 1_000_000_000_000_000;
const TOKENS_MAX = 1_000_000_000_000;
const CACHE_SECONDS_MAX = 30 * 24 * 3600;
/** As many as the offers API returns at most. */
const OFFERS_MAX = 8;

export const budgetFields = {
  name: NameText,
  amount_micros: z
    .int()
    .min(0)
    .max(AMOUNT_MICROS_MAX)
    .nullable()
    .describe("The most that requests of a window may cost, in micros (10⁻⁶) of the currency; null: no limit in money"),
  tokens: z
    .int()
    .min(0)
    .max(TOKENS_MAX)
    .nullable()
    .describe("The most tokens of a window, of prompts and answers together; null: no limit in tokens"),
  action: z
    .enum(["block", "notify"])
    .describe(
      "`block`: requests that do not fit are refused with `quota_exceeded`; `notify`: events are sent, nothing is refused",
    ),
};

export const settingFields = {
  stores_bodies: z
    .boolean()
    .describe("Store what requests and answers say, encrypted, for 30 days, up to 65,536 characters each"),
  cache_seconds: z
    .int()
    .min(0)
    .max(CACHE_SECONDS_MAX)
    .describe(
      "Answer equal requests from the cache for this long, unless a request has `svc_cache: false`; 0: only requests with `svc_cache` use the cache",
    ),
  offers_default: z
    .strictObject({
      channel_id: IdText.min(1).describe("A channel of the same tenant and mode"),
      limit: z.int().min(1).max(OFFERS_MAX).default(3),
    })
    .nullable()
    .describe("Offers that are added to prompts without `svc_offers`; null: none"),
};

export const STATUSES = ["pending", "succeeded", "failed", "cancelled"] as const;

/** The filters of the log. */
export const requestFilters = {
  key: IdText.optional().describe("Only requests of this API key, by its id"),
  model: z.string().max(200).optional().describe("Only requests for this model"),
  status: z.enum(STATUSES).optional(),
  from: Moment.optional().describe("Only requests that began at or after this time"),
  to: Moment.optional().describe("Only requests that began before this time"),
};
