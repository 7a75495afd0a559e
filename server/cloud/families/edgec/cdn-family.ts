import { z } from "zod";
import type { Family } from "../../core/kinds/family";
import type { Kind } from "../../core/kinds/kind";
import { sealed } from "../../core/specs/sealed-fields";
import { type HostParts, hostedKind } from "../../edge/workers/hosted-kind";

const URL_LENGTH_MAX = 2000;

const RedirectSpec = z.strictObject({
  target: sealed(
    z
      .url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" })
      .max(URL_LENGTH_MAX)
      .refine((text) => !/^[^/]+\/\/[^/?#]*@/.test(text), "expected a URL without a user name or a password")
      .optional()
      .describe("Where the host leads; without it the resource is a placeholder"),
    "query",
  ),
  status: z
    .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
    .default(302)
    .describe("301 and 308 are permanent; 307 and 308 keep the method and the body"),
  keep_path: z.boolean().default(true).describe("Adds the path of the request to that of the target"),
  keep_query: z.boolean().default(true).describe("Adds the query of the request to that of the target"),
});
type RedirectSpec = z.output<typeof RedirectSpec>;

const redirectKind = (parts: () => HostParts): Kind<RedirectSpec> => ({
  spec: RedirectSpec,
  plan: ({ target = "its target", status }, name) => [
    {
      step: "host",
      what: `A host for "${name}" below the domain of edge functions`,
      proof: "Its URL is in endpoints",
    },
    { step: "redirect", what: `Each request gets ${status} to ${target}`, proof: "curl -i shows the Location" },
  ],
  ...hostedKind<RedirectSpec>(parts, {
    proof: "See where it leads",
    blockerOf: ({ target }) =>
      target === undefined
        ? {
            code: "target_missing",
            message: "spec.target is missing: the redirect leads nowhere.",
            remedy: 'Create it again with {"spec": {"target": "https://…"}}.',
          }
        : undefined,
    responseOf: async ({ spec: { target = "", status, keep_path: keepsPath, keep_query: keepsQuery } }) => ({
      type: "redirect",
      status,
      target,
      keepsPath,
      keepsQuery,
    }),
  }),
});

/** What edge hosts send without an origin. */
export const cdnFamily = (parts: () => HostParts): Family => ({
  plane: "edge",
  service: "cdn",
  label: "CDN",
  summary: "Hosts at the edge that redirect requests (kind redirect).",
  meters: [],
  skus: [],
  kinds: { redirect: redirectKind(parts) as Kind },
});
