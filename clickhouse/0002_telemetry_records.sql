-- Records of one time are told apart by their id. Those from before this file have one that is made from what they say.
ALTER TABLE otel_logs ADD COLUMN IF NOT EXISTS id String
  DEFAULT hex(sipHash128(time, severity_number, severity, body, trace_id, span_id, service, scope, attributes, resource_id))
  CODEC(ZSTD);
ALTER TABLE otel_spans ADD COLUMN IF NOT EXISTS id String
  DEFAULT hex(sipHash128(time, name, kind, duration_ns, status, trace_id, span_id, service, scope, attributes, resource_id))
  CODEC(ZSTD);
ALTER TABLE metric_samples ADD COLUMN IF NOT EXISTS id String
  DEFAULT hex(sipHash128(time, name, type, unit, value, count, bounds, buckets, service, scope, attributes, resource_id))
  CODEC(ZSTD);

-- What only some data points have, as JSON: whether there is no value, all digits of a large integer, the smallest and
-- largest value of a histogram, buckets of an exponential histogram, quantiles of a summary. Empty for the others.
ALTER TABLE metric_samples ADD COLUMN IF NOT EXISTS details String CODEC(ZSTD);
ALTER TABLE metric_samples DROP PROJECTION IF EXISTS bytes_by_tenant;
ALTER TABLE metric_samples ADD PROJECTION IF NOT EXISTS bytes_by_tenant
(
  SELECT tenant_id, sum(byteSize(name, value, count, bounds, buckets, details, attributes, resource, resource_id))
  GROUP BY tenant_id
);
ALTER TABLE metric_samples MATERIALIZE PROJECTION IF EXISTS bytes_by_tenant;
