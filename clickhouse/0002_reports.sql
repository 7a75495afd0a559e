-- What reports read: sums per 15 minutes, the step that divides the offset of every time zone.
-- tenant_id is the viewer. An event whose publisher and buyer are one tenant gives one row with everything. Otherwise
-- the publisher gets its channel and earnings under the campaign 'house' or 'network', and the buyer its campaign,
-- creative and spend under the channel 'network': neither sees the other's money and names.
-- The window is wider than that of the events, because five views write here.

CREATE TABLE IF NOT EXISTS report_slots
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
  requests SimpleAggregateFunction(sum, UInt64),
  served SimpleAggregateFunction(sum, UInt64),
  impressions SimpleAggregateFunction(sum, UInt64),
  clicks SimpleAggregateFunction(sum, UInt64),
  invalid_impressions SimpleAggregateFunction(sum, UInt64),
  invalid_clicks SimpleAggregateFunction(sum, UInt64),
  spend_nanos SimpleAggregateFunction(sum, UInt64),
  earnings_nanos SimpleAggregateFunction(sum, UInt64),
  conversions SimpleAggregateFunction(sum, UInt64),
  conversion_value_micros SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(slot)
ORDER BY (tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic)
SETTINGS non_replicated_deduplication_window = 100000;

CREATE MATERIALIZED VIEW IF NOT EXISTS report_requests TO report_slots AS
SELECT
  tenant_id,
  mode,
  channel_id,
  toStartOfFifteenMinutes(at) AS slot,
  placement,
  geo,
  device,
  count() AS requests
FROM requests
GROUP BY tenant_id, mode, channel_id, slot, placement, geo, device;

CREATE MATERIALIZED VIEW IF NOT EXISTS report_offers TO report_slots AS
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
  count() AS served
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
      [(toString(tenant_id), toString(channel_id), toString(campaign_id), creative_id)],
      [
        (toString(tenant_id), toString(channel_id), if(house = 1, 'house', 'network'), ''),
        (toString(buyer_tenant_id), 'network', toString(campaign_id), creative_id)
      ]
    )) AS viewer
  FROM offers
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS report_impressions TO report_slots AS
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
  countIf(traffic = '') AS impressions,
  countIf(traffic != '') AS invalid_impressions,
  sum(viewer.5) AS spend_nanos,
  sum(viewer.6) AS earnings_nanos
FROM
(
  SELECT
    mode,
    toStartOfFifteenMinutes(at) AS slot,
    placement,
    geo,
    device,
    traffic,
    arrayJoin(if(
      tenant_id = buyer_tenant_id,
      [(toString(tenant_id), toString(channel_id), toString(campaign_id), creative_id, charge_nanos, earning_nanos)],
      [
        (toString(tenant_id), toString(channel_id), if(house = 1, 'house', 'network'), '', toUInt64(0), earning_nanos),
        (toString(buyer_tenant_id), 'network', toString(campaign_id), creative_id, charge_nanos, toUInt64(0))
      ]
    )) AS viewer
  FROM impressions
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS report_clicks TO report_slots AS
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
  countIf(traffic = '') AS clicks,
  countIf(traffic != '') AS invalid_clicks,
  sum(viewer.5) AS spend_nanos,
  sum(viewer.6) AS earnings_nanos
FROM
(
  SELECT
    mode,
    toStartOfFifteenMinutes(at) AS slot,
    placement,
    geo,
    device,
    traffic,
    arrayJoin(if(
      tenant_id = buyer_tenant_id,
      [(toString(tenant_id), toString(channel_id), toString(campaign_id), creative_id, charge_nanos, earning_nanos)],
      [
        (toString(tenant_id), toString(channel_id), if(house = 1, 'house', 'network'), '', toUInt64(0), earning_nanos),
        (toString(buyer_tenant_id), 'network', toString(campaign_id), creative_id, charge_nanos, toUInt64(0))
      ]
    )) AS viewer
  FROM clicks
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;

-- A conversion does not say whether the offer was a house offer, and its value is the buyer's own.
CREATE MATERIALIZED VIEW IF NOT EXISTS report_conversions TO report_slots AS
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
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;
