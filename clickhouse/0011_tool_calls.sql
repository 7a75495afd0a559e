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
