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
