-- The attributes of resources of telemetry, once for each store that has records of them: these name theirs by
-- resource_id, the hash of the attributes. In rows of earlier versions it is '', and their attributes are in them.
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

ALTER TABLE otel_logs ADD COLUMN IF NOT EXISTS resource_id String;
ALTER TABLE otel_spans ADD COLUMN IF NOT EXISTS resource_id String;
ALTER TABLE metric_samples ADD COLUMN IF NOT EXISTS resource_id String;
