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
