import type { Pool } from "pg";
import { describe, expect, it } from "vitest";
import { EdgeLogs } from "./edge-logs";

/** Lines that were stored, in a pool whose queries take `query`. */
function logsOf(query: () => Promise<unknown>) {
  const stored: string[] = [];
  const warnings: object[] = [];
  const sql = {
    query: async (_text: string, columns: string[][]) => {
      await query();
      stored.push(...(columns[5] ?? []));
      return { rows: [] };
    },
  } as unknown as Pool;
  const log = { info: () => undefined, warn: (about: object) => void warnings.push(about) };
  return { logs: new EdgeLogs({ sql, log }), stored, warnings };
}

function add(logs: EdgeLogs, count: number, tenantId = "ten_a"): void {
  const line = { tenantId, at: new Date(), version: 1, requestId: "r", level: "info" };
  for (let n = 0; n < count; n++) logs.add({ ...line, edgeId: `edg_${tenantId}_${n % 10}`, text: String(n) });
}

describe("the log lines of edge functions", () => {
  it("that wait when svc stops are all stored", async () => {
    const { logs, stored, warnings } = logsOf(async () => undefined);
    add(logs, 2500);
    await logs.stop();
    expect(stored).toEqual(Array.from({ length: 2500 }, (_, n) => String(n)));
    expect(warnings).toEqual([]);
  });

  it("of A that wait leave room to those of B", async () => {
    const { logs, stored } = logsOf(async () => undefined);
    add(logs, 6000, "ten_a");
    add(logs, 100, "ten_b");
    await logs.stop();
    expect(stored).toHaveLength(2600);
  });

  it("do not keep svc from stopping when they cannot be stored, and the log says how many", async () => {
    const { logs, warnings } = logsOf(() => new Promise(() => undefined));
    add(logs, 20);
    await logs.stop(50);
    expect(warnings).toMatchObject([{ lines: 20 }]);
  });
});
