import { expect, it } from "vitest";
import { testClickHouse } from "../../../../test/factories/clickhouse";
import { openForFile } from "../../../../test/factories/open-for-file";
import { deleteRows } from "../../obs/ingest/telemetry-rows.sql";
import { TELEMETRY_BYTES } from "./telemetry-bytes";

const TABLES = ["otel_logs", "otel_spans", "metric_samples"];

const clickhouse = await openForFile(testClickHouse());
const expires = Math.floor(Date.now() / 1000) + 86_400;
for (const tenant_id of ["a", "b"])
  for (const table of [...TABLES, "telemetry_resources"]) {
    const more = table === "telemetry_resources" ? {} : { time: new Date().toISOString().replace("Z", "") };
    const resource = { text: "x".repeat(1000) };
    const values = Array.from({ length: 100 }, (_, i) => ({
      tenant_id,
      rid: "r",
      expires,
      resource_id: `${i}`,
      resource,
      ...more,
    }));
    await clickhouse.client.insert({ table, values, format: "JSONEachRow" });
  }

async function ask<T>(query: string, tenantId: string): Promise<T[]> {
  return (await clickhouse.client.query({ query, query_params: { tenantId }, format: "JSONEachRow" })).json<T>();
}
const bytesOf = async (tenant: string) => (await ask<{ bytes: number }>(TELEMETRY_BYTES, tenant))[0]?.bytes ?? 0;

it("reads sums instead of records, of one tenant, and none of what was deleted", async () => {
  const plan = await ask<{ explain: string }>(`EXPLAIN ${TELEMETRY_BYTES}`, "a");
  expect(plan.filter(({ explain }) => explain.includes("bytes_by_tenant"))).toHaveLength(TABLES.length);
  for (const tenant of ["a", "b"]) expect(await bytesOf(tenant)).toBeGreaterThan(1000);
  for (const signal of ["log", "trace", "metric"] as const)
    await deleteRows(clickhouse.client, { signal, tenantId: "a", rid: "r" });
  expect(await bytesOf("a")).toBe(0);
  expect(await bytesOf("b")).toBeGreaterThan(1000);
  expect(await bytesOf("ten_without_records")).toBe(0);
});
