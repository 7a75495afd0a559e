import { z } from "zod";
import type { FactRow } from "../events/fact-rows";

/** Why a conversion counts for no campaign. */
export const UNATTRIBUTED = {
  unknown_click: "No counted click of the tenant's campaigns has this click id",
  outside_window: "The last touch is older than the campaign's attribution window",
  no_touch: "The report has neither a click id nor a user with a click or viewable impression",
} as const;

export type UnattributedReason = keyof typeof UNATTRIBUTED;

export const Conversion = z.object({
  id: z.string(),
  mode: z.enum(["test", "live"]),
  source: z
    .enum(["server", "pixel"])
    .describe("Who reported the order; an order that only a `pixel` reported is unverified until a server reports it"),
  order_id: z.string(),
  attribution: z.enum(["click", "view", "none"]).describe("The type of the last touch"),
  reason: z
    .enum(Object.keys(UNATTRIBUTED) as [UnattributedReason, ...UnattributedReason[]])
    .nullable()
    .describe("Why it counts for no campaign"),
  campaign_id: z.string().nullable(),
  channel_id: z.string().nullable().describe("`network` for another publisher's channel"),
  touched_at: z.iso.datetime().nullable(),
  value_micros: z.int(),
  over_limit: z.boolean().describe("The value from the pixel was above a limit of the advertiser, so it counts as 0"),
  currency: z.string(),
  occurred_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
});

export const ReportedConversion = Conversion.extend({
  duplicate: z.boolean().describe("A server has already reported the order; this is the existing conversion"),
});

export type Conversion = z.output<typeof Conversion>;

/** A row of the table, with its column names. */
export interface ConversionRow {
  id: string;
  tenant_id: string;
  mode: "test" | "live";
  /** null: reported with a key by a process of an earlier version. */
  source: "server" | "pixel" | null;
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
  /** The value from the pixel is above a limit and counts as 0. */
  over_limit: boolean | null;
  /** For a pixel order: its row in ClickHouse, which is reversed when a server reports the order. */
  fact: FactRow | null;
  /** When to look for an unknown click again. */
  look_at: Date | null;
  occurred_at: Date;
  created_at: Date;
}

export function conversionOf(row: ConversionRow, currency: string): Conversion {
  const isOwnChannel = row.publisher_tenant_id === row.tenant_id;
  return {
    id: row.id,
    mode: row.mode,
    source: row.source ?? "server",
    order_id: row.order_id,
    attribution: row.attribution,
    reason: row.reason || null,
    campaign_id: row.campaign_id || null,
    channel_id: row.channel_id === "" ? null : isOwnChannel ? row.channel_id : "network",
    touched_at: row.touched_at?.toISOString() ?? null,
    value_micros: Number(row.value_micros),
    over_limit: row.over_limit ?? false,
    currency,
    occurred_at: row.occurred_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
