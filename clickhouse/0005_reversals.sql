-- A row per event whose charge and earning an operator reversed, at the time of that event; its amounts are below zero.
-- Counts of impressions and clicks stay as they are: a reversal corrects money.

CREATE TABLE IF NOT EXISTS reversals
(
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  event LowCardinality(String),
  offer_id UUID,
  clawback_id LowCardinality(String),
  tenant_id LowCardinality(String),
  channel_id LowCardinality(String),
  mode LowCardinality(String),
  buyer_tenant_id LowCardinality(String),
  advertiser_id LowCardinality(String),
  campaign_id LowCardinality(String),
  creative_id String,
  product_id String,
  placement LowCardinality(String),
  geo LowCardinality(String),
  device LowCardinality(String),
  locale LowCardinality(String),
  charge_nanos Int64,
  earning_nanos Int64
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (tenant_id, mode, channel_id, at)
SETTINGS non_replicated_deduplication_window = 10000;

-- Only events between two tenants are reversed, so each gives two rows, in the groups of the event itself. The sums of
-- the rollup are without a sign and wrap around: adding 2^64 - n subtracts n, and readers take a sum as a signed number.
CREATE MATERIALIZED VIEW IF NOT EXISTS report_reversals TO report_slots AS
SELECT
  viewer.1 AS tenant_id,
  mode,
  viewer.2 AS channel_id,
  slot,
  viewer.3 AS campaign_id,
  viewer.4 AS creative_id,
  placement,
  geo,
  device,
  '' AS traffic,
  reinterpretAsUInt64(sum(viewer.5)) AS spend_nanos,
  reinterpretAsUInt64(sum(viewer.6)) AS earnings_nanos
FROM
(
  SELECT
    mode,
    toStartOfFifteenMinutes(at) AS slot,
    placement,
    geo,
    device,
    arrayJoin([
      (toString(tenant_id), toString(channel_id), 'network', '', toInt64(0), earning_nanos),
      (toString(buyer_tenant_id), 'network', toString(campaign_id), creative_id, charge_nanos, toInt64(0))
    ]) AS viewer
  FROM reversals
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;

-- What an advertiser asks for: its events by day and channel of others, without reading those of everybody else.
ALTER TABLE impressions ADD PROJECTION IF NOT EXISTS by_buyer
(
  SELECT
    buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id,
    countIf(traffic = ''), countIf(traffic != ''), sum(charge_nanos)
  GROUP BY buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id
);

ALTER TABLE clicks ADD PROJECTION IF NOT EXISTS by_buyer
(
  SELECT
    buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id,
    countIf(traffic = ''), countIf(traffic != ''), sum(charge_nanos)
  GROUP BY buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id
);

-- In the background, for the parts that are there already: nobody waits for it.
ALTER TABLE impressions MATERIALIZE PROJECTION IF EXISTS by_buyer SETTINGS mutations_sync = 0, alter_sync = 0;
ALTER TABLE clicks MATERIALIZE PROJECTION IF EXISTS by_buyer SETTINGS mutations_sync = 0, alter_sync = 0;
