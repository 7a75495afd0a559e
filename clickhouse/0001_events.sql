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
  reason LowCardinality(String)
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
  house UInt8
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
  earning_nanos UInt64
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
  earning_nanos UInt64
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
  currency LowCardinality(String)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (buyer_tenant_id, mode, campaign_id, at)
SETTINGS non_replicated_deduplication_window = 10000;
