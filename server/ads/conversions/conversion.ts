import { z } from "zod";

/** Why a conversion counts for no campaign. */
export const UNATTRIBUTED = {
  unknown_click: "No counted click of the tenant's campaigns bears this click id",
  outside_window: "The last touch lies further back than the campaign's attribution window",
  no_touch: "Neither a click id nor a user with a click or viewable impression was named",
} as const;

export type UnattributedReason = keyof typeof UNATTRIBUTED;

export const Conversion = z.object({
  id: z.string(),
  mode: z.enum(["test", "live"]),
  order_id: z.string(),
  attribution: z.enum(["click", "view", "none"]).describe("The last touch that explains it"),
  reason: z
    .enum(Object.keys(UNATTRIBUTED) as [UnattributedReason, ...UnattributedReason[]])
    .nullable()
    .describe("Why it counts for no campaign"),
  campaign_id: z.string().nullable(),
  channel_id: z.string().nullable().describe("`network` for a channel of another publisher"),
  touched_at: z.iso.datetime().nullable(),
  value_micros: z.int(),
  currency: z.string(),
  occurred_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
});

export const ReportedConversion = Conversion.extend({
  duplicate: z.boolean().describe("The order had been reported before: this is what became of it then"),
});

export type Conversion = z.output<typeof Conversion>;

/** A row of the table, in its column names. */
export interface ConversionRow {
  id: string;
  tenant_id: string;
  mode: "test" | "live";
  advertiser_id: string;
  order_id: string;
  click_id: string;
  attribution: "click" | "view" | "none";
  reason: UnattributedReason | "";
  offer_id: string | null;
  campaign_id: string;
  publisher_tenant_id: string;
  channel_id: string;
  touched_at: Date | null;
  value_micros: string;
  occurred_at: Date;
  created_at: Date;
}

export function conversionOf(row: ConversionRow, currency: string): Conversion {
  const isOwnChannel = row.publisher_tenant_id === row.tenant_id;
  return {
    id: row.id,
    mode: row.mode,
    order_id: row.order_id,
    attribution: row.attribution,
    reason: row.reason || null,
    campaign_id: row.campaign_id || null,
    channel_id: row.channel_id === "" ? null : isOwnChannel ? row.channel_id : "network",
    touched_at: row.touched_at?.toISOString() ?? null,
    value_micros: Number(row.value_micros),
    currency,
    occurred_at: row.occurred_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
