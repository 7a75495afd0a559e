import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import type { Conversion } from "./conversion";

export const orderExample = {
  order_id: "1001",
  click_id: "5f0c1a7e9b3d4c2e8a6f0b1d2c3e4f5a",
  value_micros: 49_900_000,
  currency: "USD",
};

export const conversionExample: Conversion = {
  id: exampleId("cnv"),
  mode: "live",
  source: "server",
  order_id: "1001",
  attribution: "click",
  reason: null,
  campaign_id: exampleId("cmp"),
  channel_id: exampleId("chn"),
  touched_at: "2026-11-20T08:41:00.000Z",
  value_micros: 49_900_000,
  over_limit: false,
  currency: "USD",
  occurred_at: EXAMPLE_TIME,
  created_at: EXAMPLE_TIME,
};
