import { z } from "zod";

/** What a consent platform on the publisher's page reports; an extension of the offers API. */
export const Consent = z
  .object({
    tcf: z.string().max(8192).optional().describe("IAB TCF v2 string"),
    gpp: z.string().max(8192).optional().describe("IAB GPP string"),
    gpp_sid: z
      .array(z.number().int())
      .max(50)
      .optional()
      .describe("Ids of the GPP sections that apply; by default, every section in the string applies"),
  })
  .describe(
    "Consent strings of the page, if it has any; nothing is stored about the visitor unless each of them allows it",
  );
export type Consent = z.output<typeof Consent>;
