import path from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, describe, expect, it, vi } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { fileFolder } from "../../../test/factories/file-folder";
import { testDatabase } from "../../../test/factories/postgres";
import { resumeShipping, stopShipping } from "../../engines/postgres/shipping-lock";
import { Wal } from "../../engines/wal/wal";
import { uuidv7 } from "../../kernel/ids";
import { shipFacts } from "./ship-facts";
import { shipOutbox } from "./ship-outbox";

const dir = fileFolder("svc-shipping-");
const [database, clickhouse] = await Promise.all([testDatabase(), testClickHouse()]);
const backup = new Client({ connectionString: database.url });
await backup.connect();
afterAll(async () => {
  await backup?.end();
  await Promise.all([database?.close(), clickhouse?.close()]);
});

const log = pino({ level: "silent" });
const request = () => JSON.stringify({ at: new Date().toISOString(), request_id: uuidv7(Date.now()), tenant_id: "t" });

async function stored(): Promise<number> {
  const query = "SELECT toUInt32(count()) AS rows FROM requests";
  const result = await clickhouse.client.query({ query, format: "JSONEachRow" });
  return (await result.json<{ rows: number }>())[0]?.rows ?? 0;
}

describe("while a backup takes a snapshot", () => {
  it("neither the outbox nor the write-ahead file reaches ClickHouse until afterwards", async () => {
    const wal = await Wal.open(path.join(dir, "0"));
    await wal.append(`R${request()}`);
    await database.sql.query(`INSERT INTO outbox ("table", row) VALUES ('requests', $1)`, [request()]);
    await stopShipping(backup);
    const replayClick = async () => [];
    const engines = { sql: database.sql, clickhouse: clickhouse.client, wal };
    const deadLetters = { add: () => Promise.reject(new Error("no row of this test is rejected")) };
    const parts = { ...engines, deadLetters, log, atStep: () => undefined, replayClick };
    const loops = [shipOutbox({ ...parts, alarms: testAlarms(database) }), shipFacts(parts)];
    // Without the lock, both would arrive within a few milliseconds.
    await database.sql.query("SELECT pg_sleep(0.3)");
    expect([await stored(), wal.waitingBytes > 0]).toEqual([0, true]);
    expect((await database.sql.query("SELECT 1 FROM outbox")).rowCount).toBe(1);
    await resumeShipping(backup);
    await vi.waitUntil(async () => (await stored()) === 2, { timeout: 30_000, interval: 50 });
    await Promise.all(loops.map((loop) => loop.stop()));
    await wal.close();
  });
});
