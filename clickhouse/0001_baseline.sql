-- The tables of analytics and the views that fill them.
-- svc: replaces 0014_telemetry_bytes.sql

-- ======== Events ========

-- One row per event. Money is in nanos (10⁻⁹ of the billing currency); traffic is the reason why an event does not
-- count, '' for one that does; tenant_id is the publisher, buyer_tenant_id the tenant of the campaign.
-- Each batch comes with an insert_deduplication_token: the window is how many batches back a repetition is noticed.
CREATE TABLE IF NOT EXISTS requests
(
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  request_id UUID,
  tenant_id LowCardinality(String),
  channel_id LowCardinality(String),
  mode LowCardinality(String),
  placement LowCardinality(String),
  geo LowCardinality(String),
  device LowCardinality(String),
  locale LowCardinality(String),
  served UInt8,
  reason LowCardinality(String),
  -- What fill rates read: how many requests got an offer, by the groups of a report, from the requests themselves.
  PROJECTION filled_by_slot
  (
    SELECT
      tenant_id, mode, toStartOfFifteenMinutes(at), channel_id, placement, geo, device,
      countIf(served > 0)
    GROUP BY tenant_id, mode, toStartOfFifteenMinutes(at), channel_id, placement, geo, device
  )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (tenant_id, mode, channel_id, at)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS offers
(
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  offer_id UUID,
  request_id UUID,
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
  model LowCardinality(String),
  price_nanos UInt64,
  house UInt8,
  -- What term affinities are learned from: the place of an offer in its response, 0 for the first, and the words of the
  -- query that named what was wanted, as catalogue items have them.
  position UInt8 DEFAULT 0,
  terms Array(LowCardinality(String)) DEFAULT []
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (tenant_id, mode, channel_id, at)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS impressions
(
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  offer_id UUID,
  served_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
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
  house UInt8,
  traffic LowCardinality(String),
  reported_by LowCardinality(String),
  charge_nanos UInt64,
  earning_nanos UInt64,
  -- What an advertiser asks for: its events by day and channel of others, without reading those of everybody else.
  PROJECTION by_buyer
  (
    SELECT
      buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id,
      countIf(traffic = ''), countIf(traffic != ''), sum(charge_nanos)
    GROUP BY buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id
  )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (tenant_id, mode, channel_id, at)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS clicks
(
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  offer_id UUID,
  click_id String,
  served_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
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
  house UInt8,
  traffic LowCardinality(String),
  charge_nanos UInt64,
  earning_nanos UInt64,
  PROJECTION by_buyer
  (
    SELECT
      buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id,
      countIf(traffic = ''), countIf(traffic != ''), sum(charge_nanos)
    GROUP BY buyer_tenant_id, mode, toDate(at), advertiser_id, tenant_id, channel_id
  )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (tenant_id, mode, channel_id, at)
SETTINGS non_replicated_deduplication_window = 10000;

-- value_micros is what the advertiser reported, in the row's own currency.
CREATE TABLE IF NOT EXISTS conversions
(
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  conversion_id String,
  order_id String,
  click_id String,
  offer_id UUID,
  clicked_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
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
  value_micros UInt64,
  currency LowCardinality(String),
  -- A conversion that only a pixel reported is unverified: its row has the source 'pixel', and when a server reports the
  -- order the same row follows with the sign -1. Its sums have a table of their own, signed, so that report_slots and its
  -- projections hold what is final.
  source LowCardinality(String) DEFAULT 'server',
  sign Int8 DEFAULT 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (buyer_tenant_id, mode, campaign_id, at)
SETTINGS non_replicated_deduplication_window = 10000;

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

-- ======== Reports ========

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
  conversion_value_micros SimpleAggregateFunction(sum, UInt64),
  -- What reports over long periods read instead of every slot: the same sums by less. A projection is a part of each
  -- part of the rollup: both are there or neither, and a repeated batch changes neither. Whole days of UTC answer for any
  -- time zone what is not asked by time; by_slot answers for local days and hours. Merges of this engine join rows, so
  -- projections have to be made anew with them: deduplicate_merge_projection_mode.
  PROJECTION by_slot
  (
    SELECT
      tenant_id, mode, slot,
      sum(requests),
      sum(served),
      sum(impressions),
      sum(clicks),
      sum(invalid_impressions),
      sum(invalid_clicks),
      sum(spend_nanos),
      sum(earnings_nanos),
      sum(conversions),
      sum(conversion_value_micros)
    GROUP BY tenant_id, mode, slot
  ),
  PROJECTION by_day_place
  (
    SELECT
      tenant_id, mode, toDate(slot), channel_id, placement, device, traffic,
      sum(requests),
      sum(served),
      sum(impressions),
      sum(clicks),
      sum(invalid_impressions),
      sum(invalid_clicks),
      sum(spend_nanos),
      sum(earnings_nanos),
      sum(conversions),
      sum(conversion_value_micros)
    GROUP BY tenant_id, mode, toDate(slot), channel_id, placement, device, traffic
  ),
  PROJECTION by_day_campaign
  (
    SELECT
      tenant_id, mode, toDate(slot), campaign_id, creative_id,
      sum(requests),
      sum(served),
      sum(impressions),
      sum(clicks),
      sum(invalid_impressions),
      sum(invalid_clicks),
      sum(spend_nanos),
      sum(earnings_nanos),
      sum(conversions),
      sum(conversion_value_micros)
    GROUP BY tenant_id, mode, toDate(slot), campaign_id, creative_id
  ),
  PROJECTION by_day_geo
  (
    SELECT
      tenant_id, mode, toDate(slot), geo,
      sum(requests),
      sum(served),
      sum(impressions),
      sum(clicks),
      sum(invalid_impressions),
      sum(invalid_clicks),
      sum(spend_nanos),
      sum(earnings_nanos),
      sum(conversions),
      sum(conversion_value_micros)
    GROUP BY tenant_id, mode, toDate(slot), geo
  ),
  -- What click and settle rates read: sums of a campaign by the hour, in the order of hours, so that a look at the last
  -- hours reads those alone, however much was counted before them.
  PROJECTION by_hour_campaign
  (
    SELECT
      toStartOfHour(slot), mode, campaign_id, creative_id,
      sum(served),
      sum(impressions),
      sum(clicks)
    GROUP BY toStartOfHour(slot), mode, campaign_id, creative_id
  )
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(slot)
ORDER BY (tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic)
SETTINGS non_replicated_deduplication_window = 100000, deduplicate_merge_projection_mode = 'rebuild';

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
  WHERE source != 'pixel'
)
GROUP BY tenant_id, mode, channel_id, slot, campaign_id, creative_id, placement, geo, device, traffic;

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

-- ======== API requests and tool calls ========

-- API requests by key and hour of UTC, with their responses by status class: sums that svc's processes keep in memory
-- and insert every few seconds. kind is 'platform', 'server' or 'browser'; parent_id is the project of a platform key
-- and the channel of the others.
-- Each batch comes with an insert_deduplication_token, so that one that is sent again is not counted twice.
CREATE TABLE IF NOT EXISTS key_requests
(
  tenant_id LowCardinality(String),
  mode LowCardinality(String),
  hour DateTime('UTC') CODEC(Delta, ZSTD),
  key_id String,
  kind LowCardinality(String),
  parent_id String,
  succeeded SimpleAggregateFunction(sum, UInt64),
  client_errors SimpleAggregateFunction(sum, UInt64),
  rate_limited SimpleAggregateFunction(sum, UInt64),
  server_errors SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (tenant_id, mode, hour, key_id, kind, parent_id)
SETTINGS non_replicated_deduplication_window = 10000;

-- Calls of tools by platform keys, without their arguments and results: what svc's processes keep in memory and insert
-- every few seconds. error is the code of the error, '' for a call that succeeded.
-- Each batch comes with an insert_deduplication_token, so that one that is sent again is not stored twice.
CREATE TABLE IF NOT EXISTS tool_calls
(
  tenant_id LowCardinality(String),
  mode LowCardinality(String),
  id String,
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  project_id LowCardinality(String),
  key_id String,
  tool LowCardinality(String),
  error LowCardinality(String),
  duration_ms UInt32,
  request_id String
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (tenant_id, mode, at)
TTL toDateTime(at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000;

-- ======== Usage ========

-- Intervals of metered usage that are over: one row for each run of a pod, metered by the second. Postgres is the ledger;
-- a row comes through its outbox, at least once, and is the same each time: read with FINAL.
CREATE TABLE IF NOT EXISTS usage_intervals
(
  tenant_id LowCardinality(String),
  project_id LowCardinality(String),
  mode LowCardinality(String),
  service LowCardinality(String),
  sku LowCardinality(String),
  purchase LowCardinality(String),
  started DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  ended DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  seconds UInt32,
  price_nanos_per_hour Int64,
  pod_id String,
  run_id String
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(started)
ORDER BY (tenant_id, mode, started, run_id)
SETTINGS non_replicated_deduplication_window = 10000;

-- ======== Telemetry ========

-- Records of telemetry stores, one table for each signal. rid is the id of the store; expires is when the store no longer
-- keeps the row.
-- Each batch comes with an insert_deduplication_token, so that one that is sent again is not stored twice.
-- bytes_by_tenant is what the records of a tenant take, before they are compressed: a sum for each part, so that it is
-- read without the records. What deletes records of a part makes its sums anew.
CREATE TABLE IF NOT EXISTS otel_logs
(
  tenant_id LowCardinality(String),
  rid LowCardinality(String),
  time DateTime64(9, 'UTC') CODEC(Delta, ZSTD),
  expires DateTime('UTC') CODEC(Delta, ZSTD),
  severity_number UInt8,
  severity LowCardinality(String),
  body String CODEC(ZSTD),
  trace_id String,
  span_id String,
  service LowCardinality(String),
  scope LowCardinality(String),
  attributes Map(LowCardinality(String), String),
  resource Map(LowCardinality(String), String),
  resource_id String,
  PROJECTION bytes_by_tenant
  (
    SELECT tenant_id, sum(byteSize(body, trace_id, span_id, attributes, resource, resource_id))
    GROUP BY tenant_id
  )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(expires)
ORDER BY (tenant_id, rid, time)
TTL expires
SETTINGS non_replicated_deduplication_window = 10000, lightweight_mutation_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS otel_spans
(
  tenant_id LowCardinality(String),
  rid LowCardinality(String),
  time DateTime64(9, 'UTC') CODEC(Delta, ZSTD),
  expires DateTime('UTC') CODEC(Delta, ZSTD),
  name LowCardinality(String),
  kind LowCardinality(String),
  duration_ns UInt64,
  status LowCardinality(String),
  status_message String,
  trace_id String,
  span_id String,
  parent_span_id String,
  service LowCardinality(String),
  scope LowCardinality(String),
  attributes Map(LowCardinality(String), String),
  resource Map(LowCardinality(String), String),
  resource_id String,
  PROJECTION bytes_by_tenant
  (
    SELECT tenant_id, sum(byteSize(name, status_message, trace_id, span_id, parent_span_id, attributes, resource, resource_id))
    GROUP BY tenant_id
  )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(expires)
ORDER BY (tenant_id, rid, time)
TTL expires
SETTINGS non_replicated_deduplication_window = 10000, lightweight_mutation_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS metric_samples
(
  tenant_id LowCardinality(String),
  rid LowCardinality(String),
  time DateTime64(9, 'UTC') CODEC(Delta, ZSTD),
  expires DateTime('UTC') CODEC(Delta, ZSTD),
  name LowCardinality(String),
  type LowCardinality(String),
  unit LowCardinality(String),
  temporality LowCardinality(String),
  value Float64,
  count UInt64,
  bounds Array(Float64),
  buckets Array(UInt64),
  service LowCardinality(String),
  scope LowCardinality(String),
  attributes Map(LowCardinality(String), String),
  resource Map(LowCardinality(String), String),
  resource_id String,
  PROJECTION bytes_by_tenant
  (
    SELECT tenant_id, sum(byteSize(name, value, count, bounds, buckets, attributes, resource, resource_id))
    GROUP BY tenant_id
  )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(expires)
ORDER BY (tenant_id, rid, time)
TTL expires
SETTINGS non_replicated_deduplication_window = 10000, lightweight_mutation_projection_mode = 'rebuild';

-- The attributes of resources of telemetry, once for each store that has records of them: these name theirs by
-- resource_id, the hash of the attributes. Records with an empty resource_id have the attributes themselves.
-- A resource is kept as long as the newest record of it.
CREATE TABLE IF NOT EXISTS telemetry_resources
(
  tenant_id LowCardinality(String),
  rid LowCardinality(String),
  resource_id String,
  expires DateTime('UTC'),
  resource Map(LowCardinality(String), String)
)
ENGINE = ReplacingMergeTree(expires)
ORDER BY (tenant_id, rid, resource_id)
TTL expires
SETTINGS non_replicated_deduplication_window = 10000;
