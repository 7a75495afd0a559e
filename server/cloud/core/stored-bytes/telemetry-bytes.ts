/** Columns that take most of each table; the sums of these are in the projections `bytes_by_tenant`. */
const SIZED = {
  otel_logs: "body, trace_id, span_id, attributes, resource, resource_id",
  otel_spans: "name, status_message, trace_id, span_id, parent_span_id, attributes, resource, resource_id",
  metric_samples: "name, value, count, bounds, buckets, details, attributes, resource, resource_id",
  telemetry_resources: "resource_id, resource",
} as const;

const sizeOf = ([table, columns]: [string, string]): string =>
  `SELECT '${table}' AS table, sum(byteSize(${columns})) AS size FROM ${table} WHERE tenant_id = {tenantId:String}`;

/** An estimate of the bytes that the records of a tenant take: their size, compressed as its whole table is. */
export const TELEMETRY_BYTES = `
  SELECT sum(size * ratio) AS bytes
  FROM (${Object.entries(SIZED).map(sizeOf).join(" UNION ALL ")}) AS sizes
  JOIN (
    SELECT table, least(1, sum(data_compressed_bytes) / sum(data_uncompressed_bytes)) AS ratio
    FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table
  ) AS parts USING table`;
