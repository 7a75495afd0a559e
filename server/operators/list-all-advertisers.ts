import type { z } from "zod";
import { advertiserReview } from "../ads/advertisers/advertiser";
import type { OperatorCtx } from "./operator-ctx";

const ADVERTISERS_MAX = 500;

export const ReviewState = advertiserReview;

export interface AdvertiserLine {
  id: string;
  tenant_id: string;
  mode: "test" | "live";
  name: string;
  domain: string | null;
  domain_verified_at: string | null;
  updated_at: string;
}

/** Advertisers of all tenants with one review state, least recently changed first, at most 500. */
export async function listAllAdvertisers(
  { db }: Pick<OperatorCtx, "db">,
  { review }: { review: z.output<typeof ReviewState> },
): Promise<AdvertiserLine[]> {
  const rows = await db.advertiser.findMany({
    where: { review, archivedAt: null },
    orderBy: { updatedAt: "asc" },
    take: ADVERTISERS_MAX,
  });
  return rows.map((row) => ({
    id: row.id,
    tenant_id: row.tenantId,
    mode: row.mode,
    name: row.name,
    domain: row.domain,
    domain_verified_at: row.domainVerifiedAt?.toISOString() ?? null,
    updated_at: row.updatedAt.toISOString(),
  }));
}
