import { z } from "zod";
import type { Visitor } from "../serve-ctx";

/** What a consent platform on the publisher's page says; an extension of the offers API. */
export const Consent = z
  .object({
    tcf: z.string().max(8192).optional().describe("IAB TCF v2 string"),
    gpp: z.string().max(8192).optional().describe("IAB GPP string"),
    gpp_sid: z.array(z.number().int()).max(50).optional(),
  })
  .describe("Consent strings of the page, when it has any");

/**
 * Whether anything about this visitor may be remembered. Global Privacy Control refuses; a consent string counts as a
 * refusal as well, because svc does not read inside it. Contextual offers go on either way.
 */
export const mayRemember = (visitor: Pick<Visitor, "gpc">, consent: z.output<typeof Consent> | undefined): boolean =>
  !visitor.gpc && !consent?.tcf && !consent?.gpp;
