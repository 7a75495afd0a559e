-- Records of telemetry stores, one table for each signal. rid is the id of the store; expires is when the store no longer
-- keeps the row.
-- Each batch comes with an insert_deduplication_token, so that one that is sent again is not stored twice.

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
  resource Map(LowCardinality(String), String)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(expires)
ORDER BY (tenant_id, rid, time)
TTL expires
SETTINGS non_replicated_deduplication_window = 10000;

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
  resource Map(LowCardinality(String), String)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(expires)
ORDER BY (tenant_id, rid, time)
TTL expires
SETTINGS non_replicated_deduplication_window = 10000;

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
  resource Map(LowCardinality(String), String)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(expires)
ORDER BY (tenant_id, rid, time)
TTL expires
SETTINGS non_replicated_deduplication_window = 10000;
