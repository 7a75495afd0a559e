-- What the records of a tenant take, before they are compressed: a sum for each part, so that it is read without the
-- records. What deletes records of a part makes its sums anew.

ALTER TABLE otel_logs MODIFY SETTING lightweight_mutation_projection_mode = 'rebuild';
ALTER TABLE otel_spans MODIFY SETTING lightweight_mutation_projection_mode = 'rebuild';
ALTER TABLE metric_samples MODIFY SETTING lightweight_mutation_projection_mode = 'rebuild';

ALTER TABLE otel_logs ADD PROJECTION IF NOT EXISTS bytes_by_tenant
(
  SELECT tenant_id, sum(byteSize(body, trace_id, span_id, attributes, resource, resource_id))
  GROUP BY tenant_id
);

ALTER TABLE otel_spans ADD PROJECTION IF NOT EXISTS bytes_by_tenant
(
  SELECT tenant_id, sum(byteSize(name, status_message, trace_id, span_id, parent_span_id, attributes, resource, resource_id))
  GROUP BY tenant_id
);

ALTER TABLE metric_samples ADD PROJECTION IF NOT EXISTS bytes_by_tenant
(
  SELECT tenant_id, sum(byteSize(name, value, count, bounds, buckets, attributes, resource, resource_id))
  GROUP BY tenant_id
);

-- In the background, for the parts that are there already: nobody waits for it.
ALTER TABLE otel_logs MATERIALIZE PROJECTION IF EXISTS bytes_by_tenant SETTINGS mutations_sync = 0, alter_sync = 0;
ALTER TABLE otel_spans MATERIALIZE PROJECTION IF EXISTS bytes_by_tenant SETTINGS mutations_sync = 0, alter_sync = 0;
ALTER TABLE metric_samples MATERIALIZE PROJECTION IF EXISTS bytes_by_tenant SETTINGS mutations_sync = 0, alter_sync = 0;
