import { z } from "zod";
import { Consent } from "../consent/consent";
import { OFFERS_MAX } from "../serving/offer-request";
import { Signals } from "../signals/signal";
import { VisitorId } from "../users/visitor-id";

const TEXT_MAX = 4000;

const device = z.enum(["desktop", "mobile", "tablet"]);
const placement = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, "expected 1 to 100 letters, digits or any of _ . : -")
  .describe("Where the offer is shown; reports group by it, so it is a short name: letters, digits and _ . : - only");
const geo = z
  .string()
  .regex(/^([A-Za-z]{2})?$/, "expected an ISO 3166-1 alpha-2 country code or an empty string")
  .transform((code) => code.toUpperCase());

/** The body of `POST /api/v1/offers`; unknown fields are ignored. */
export const OffersRequest = z.object({
  query: z.string().max(TEXT_MAX).default("").describe("The user's search query or intent; matched first"),
  context: z.string().max(TEXT_MAX).default("").describe("Page context or category"),
  placement: placement.default("sponsored_result"),
  user_id: VisitorId.describe("Stable user identifier: a keyed hash, never personal data"),
  session_id: VisitorId,
  locale: z.string().max(35).default("en").describe("BCP 47; stored as language and region, or `en` if invalid"),
  device: device.default("desktop"),
  geo: geo.default(""),
  limit: z.int().min(1).max(OFFERS_MAX).default(1),
  signals: Signals.nullable().default(null),
  consent: Consent.optional(),
});

export type OffersRequest = z.output<typeof OffersRequest>;
