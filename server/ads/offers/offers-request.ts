import { z } from "zod";
import { Consent } from "../consent/consent";
import { OFFERS_MAX, SIGNALS_MAX } from "../limits";
import { Signal } from "../signals/signal";
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

/** The body of `POST /api/v1/offers`; fields that are not known here are ignored. */
export const OffersRequest = z.object({
  query: z.string().max(TEXT_MAX).default("").describe("The user's search query or intent; matched first"),
  context: z.string().max(TEXT_MAX).default("").describe("Page context or category"),
  placement: placement.default("sponsored_result"),
  user_id: VisitorId.describe("Stable user identifier: a keyed hash, never personal data"),
  session_id: VisitorId,
  locale: z
    .string()
    .max(35)
    .default("en")
    .describe("BCP 47; recorded as language and region, `en` for what is no locale"),
  device: device.default("desktop"),
  geo: geo.default(""),
  limit: z.int().min(1).max(OFFERS_MAX).default(1),
  signals: z.array(Signal).max(SIGNALS_MAX).nullable().default(null),
  consent: Consent.optional(),
});

export type OffersRequest = z.output<typeof OffersRequest>;

const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        ctx.addIssue({ code: "custom", message: "expected JSON text" });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** The same request as a query string: `limit` as digits, `signals` and `consent` as JSON text. */
export const OffersQuery = OffersRequest.extend({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "expected a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(OFFERS_MAX))
    .default(1)
    .meta({ type: "integer", minimum: 1, maximum: OFFERS_MAX, default: 1 }),
  signals: json(z.array(Signal).max(SIGNALS_MAX).nullable())
    .optional()
    .transform((signals) => signals ?? null)
    .meta({ type: "string", description: "The array of signals as JSON text" }),
  consent: json(Consent).optional().meta({ type: "string", description: "The consent object as JSON text" }),
});
