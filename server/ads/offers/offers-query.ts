import { z } from "zod";
import { type BoundsIssue, inputIssue } from "../../kernel/bounded-input";
import { Consent } from "../consent/consent";
import { OFFERS_MAX } from "../serving/offer-request";
import { Signals } from "../signals/signal";
import { OffersRequest } from "./offers-request";

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

/** `OffersRequest` as a query string: `limit` as digits, `signals` and `consent` as JSON text. */
export const OffersQuery = OffersRequest.extend({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "expected a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(OFFERS_MAX))
    .default(1)
    .meta({ type: "integer", minimum: 1, maximum: OFFERS_MAX, default: 1 }),
  signals: json(Signals.nullable())
    .optional()
    .transform((signals) => signals ?? null)
    .meta({ type: "string", description: "Array of signals as JSON text" }),
  consent: json(Consent).optional().meta({ type: "string", description: "Consent object as JSON text" }),
});
