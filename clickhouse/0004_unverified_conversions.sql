-- A conversion that only a pixel reported is unverified: its row has the source 'pixel', and when a server reports the
-- order the same row follows with the sign -1. Its sums have a table of their own, signed, so that report_slots and its
-- projections hold what is final.

ALTER TABLE conversions ADD COLUMN IF NOT EXISTS source LowCardinality(String) DEFAULT 'server';
ALTER TABLE conversions ADD COLUMN IF NOT EXISTS sign Int8 DEFAULT 1;

CREATE TABLE IF NOT EXISTS pixel_slots
(
  tenant_id LowCardinality(String),
  mode LowCardinality(String),
  channel_id LowCardinality(String),
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  campaign_id LowCardinality(String),
  creative_id String,
  placement LowCardinality(String),
  geo LowCardinality(String),
  device LowCardinality(String),
  traffic LowCardinality(String),
  conversions SimpleAggregateFunction(sum, Int64),
  conversion_value_micros SimpleAggregateFunction(sum, Int64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(slot)
ORDER BY (tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic)
SETTINGS non_replicated_deduplication_window = 100000;

ALTER TABLE report_conversions MODIFY QUERY
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
  traffic,
  count() AS conversions,
  sum(viewer.5) AS conversion_value_micros
FROM
(
  SELECT
    mode,
    toStartOfFifteenMinutes(at) AS slot,
    placement,
    geo,
    device,
    '' AS traffic,
    arrayJoin(if(
      tenant_id = buyer_tenant_id,
      [(toString(tenant_id), toString(channel_id), toString(campaign_id), creative_id, value_micros)],
      [
        (toString(tenant_id), toString(channel_id), 'network', '', toUInt64(0)),
        (toString(buyer_tenant_id), 'network', toString(campaign_id), creative_id, value_micros)
      ]
    )) AS viewer
  FROM conversions
  WHERE source != 'pixel'
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS report_pixels TO pixel_slots AS
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
  traffic,
  sum(sign) AS conversions,
  sum(sign * viewer.5) AS conversion_value_micros
FROM
(
  SELECT
    mode,
    toStartOfFifteenMinutes(at) AS slot,
    placement,
    geo,
    device,
    sign,
    '' AS traffic,
    arrayJoin(if(
      tenant_id = buyer_tenant_id,
      [(toString(tenant_id), toString(channel_id), toString(campaign_id), creative_id, toInt64(value_micros))],
      [
        (toString(tenant_id), toString(channel_id), 'network', '', toInt64(0)),
        (toString(buyer_tenant_id), 'network', toString(campaign_id), creative_id, toInt64(value_micros))
      ]
    )) AS viewer
  FROM conversions
  WHERE source = 'pixel'
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;
