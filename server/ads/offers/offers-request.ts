import { z } from "zod";
import { type BoundsIssue, inputIssue } from "../../kernel/bounded-input";
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
  signals: z.array(Signal).max(SIGNALS_MAX).nullable().default(null),
  consent: Consent.optional(),
});

export type OffersRequest = z.output<typeof OffersRequest>;

const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, ctx) => {
      const { value, issue } = readJsonText(text);
      if (issue) ctx.addIssue({ code: "custom", ...issue });
      return issue ? z.NEVER : value;
    })
    .pipe(schema);

/** The JSON text is parsed only here, so its size is limited here as well. */
function readJsonText(text: string): { value?: unknown; issue?: Pick<BoundsIssue, "message" | "path"> | undefined } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { issue: { message: "expected JSON text", path: [] } };
  }
  const { message, path } = inputIssue(value) ?? {};
  return message !== undefined && path ? { issue: { message, path } } : { value };
}

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
    .meta({ type: "string", description: "Array of signals as JSON text" }),
  consent: json(Consent).optional().meta({ type: "string", description: "Consent object as JSON text" }),
});
