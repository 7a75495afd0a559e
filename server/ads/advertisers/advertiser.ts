import { z } from "zod";
import type { Advertiser as AdvertiserRow, Prisma } from "../../engines/postgres/generated/client";
import type { AuditTarget } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import { toWire } from "../../kernel/to-wire";
import type { Actor } from "../../operation/actor";
import { domain, httpsUrl, mode, setOf } from "../fields";
import { ORDER_VALUE_MAX_MICROS } from "../limits";
import { CHANNEL_REF } from "../network-channels/channel-refs";
import { ownRowsOfMode } from "../own-rows";

const PIXEL_VALUE_MAX =
  "The highest order value that a pixel may report. Orders above it, or beyond 100 times this value in 24 hours, count with the value 0 until a server reports them. `null`: 1,000 units of the billing currency";

const BLOCKED_MAX = 500;

export const advertiserReview = z.enum(["unreviewed", "pending", "approved", "rejected"]);

/** The company or brand that pays for campaigns of the same mode. */
export const Advertiser = z
  .object({
    id: z.string().meta({ examples: ["adv_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    mode,
    name: z.string().describe("The brand name in offers whose creative has none"),
    domain: z.string().nullable(),
    icon_url: z.string().nullable(),
    pixel_value_max_micros: z.int().nullable().describe(PIXEL_VALUE_MAX),
    blocked_channels: z.array(z.string()).describe("References of other publishers' channels, `nch_…`"),
    blocked_domains: z.array(z.string()),
    review: advertiserReview.describe(
      "The operator's decision; network campaigns serve on other tenants' channels only if it is `approved`",
    ),
    review_automatic: z
      .boolean()
      .describe("True if approved without a review because `PUBLIC_URL` is a loopback address"),
    review_note: z.string().describe("The operator's note on the last decision"),
    reviewed_at: z.iso.datetime().nullable(),
    domain_verified_at: z.iso.datetime().nullable(),
    domain_verification: z
      .object({
        dns_name: z.string().describe("Publish `token` as a TXT record under this name, or use `file_url`"),
        file_url: z.string().describe("Serve `token` as plain text at this URL, or use `dns_name`"),
        token: z.string(),
      })
      .nullable()
      .describe("How to verify the domain; `null` if the advertiser has none"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Advertiser" });
export type Advertiser = z.infer<typeof Advertiser>;

/** The optional fields that the client sets; `null` clears a field. */
export const advertiserFields = {
  domain: domain.nullable().optional(),
  icon_url: httpsUrl.nullable().optional(),
  blocked_channels: setOf(
    z.string().regex(CHANNEL_REF, "expected a reference such as nch_…, from GET /v1/ads/network-channels"),
    BLOCKED_MAX,
  )
    .optional()
    .describe("Other publishers' channels on which its campaigns do not serve; replaces the list"),
  blocked_domains: setOf(domain, BLOCKED_MAX)
    .optional()
    .describe(
      "Its campaigns do not serve on other publishers' channels that have an origin on one of these domains or their subdomains",
    ),
  pixel_value_max_micros: z.int().min(0).max(ORDER_VALUE_MAX_MICROS).nullable().optional().describe(PIXEL_VALUE_MAX),
};

/** Returns whether an advertiser's network campaigns may serve on other tenants' channels. */
export const isApproved = (
  { review, domainVerifiedAt }: Pick<AdvertiserRow, "review" | "domainVerifiedAt">,
  automaticReview: boolean,
): boolean => automaticReview || (review === "approved" && domainVerifiedAt !== null);

export const advertiserOf = (row: AdvertiserRow, automaticReview: boolean): Advertiser =>
  toWire(Advertiser, row, {
    review: automaticReview ? "approved" : row.review,
    review_automatic: automaticReview,
    domain_verification: row.domain === null ? null : verificationOf(row.domain, row.domainToken),
  });

/** Where the owner of a domain publishes an advertiser's token. */
export const verificationOf = (domain: string, token: string) => ({
  dns_name: `_svc-verification.${domain}`,
  file_url: `https://${domain}/.well-known/svc-verification.txt`,
  token,
});

export const advertiserTarget = ({ id, name }: AdvertiserRow): AuditTarget => ({ type: "advertiser", id, name });

/**
 * Returns the actor's advertiser with this id. Throws `not_found` also if it is archived, belongs to another tenant or
 * has another mode.
 */
export async function ownAdvertiser(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  id: string,
): Promise<AdvertiserRow> {
  const row = await db.advertiser.findFirst({ where: { id, ...ownRowsOfMode(actor) } });
  if (!row) throw notFound("advertiser", id);
  return row;
}
