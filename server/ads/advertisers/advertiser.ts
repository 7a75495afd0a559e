import { z } from "zod";
import type { Advertiser as AdvertiserRow } from "../../engines/postgres/generated/client";
import type { AuditTarget } from "../../identity/audit/record-audit";
import { domain, httpsUrl } from "../fields";

/** Who pays for campaigns; without mode, its campaigns have one each. */
export const Advertiser = z
  .object({
    id: z.string().meta({ examples: ["adv_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    name: z.string().describe("The brand's name in offers whose creative names none"),
    domain: z.string().nullable(),
    icon_url: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Advertiser" });
export type Advertiser = z.infer<typeof Advertiser>;

/** The optional fields that a caller sets; `null` clears one. */
export const advertiserFields = {
  domain: domain.nullable().optional(),
  icon_url: httpsUrl.nullable().optional(),
};

export const advertiserOf = (row: AdvertiserRow): Advertiser => ({
  id: row.id,
  name: row.name,
  domain: row.domain,
  icon_url: row.iconUrl,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const advertiserTarget = ({ id, name }: AdvertiserRow): AuditTarget => ({ type: "advertiser", id, name });
