import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../test/factories/app";
import { type TestClickHouse, testClickHouse } from "../../../test/factories/clickhouse";
import { ManualClock } from "../../kernel/clock";
import type { CountedKey } from "./request-count";
import { type CountedBatch, RequestCounter } from "./request-counter";
import { insertRequestCounts } from "./request-counts.sql";
import { startRequestCounter } from "./start-request-counter";

const NOON = new Date("2026-11-20T12:00:00Z");
const HOUR_MS = 3_600_000;

const keyNamed = (keyId: string, tenantId = "ten_1"): CountedKey => ({
  tenantId,
  keyId,
  mode: "live",
  kind: "platform",
  parentId: "prj_1",
});

/** What a surface does with each response. */
function respond(counter: RequestCounter, keyId: string, status: number): void {
  if (!counter.count(keyId, status)) counter.add(keyNamed(keyId), status);
}

const sumsIn = (batch: CountedBatch | undefined) =>
  batch?.hours.map(({ keyId, hourMs, sums }) => [
    keyId,
    new Date(hourMs).toISOString().slice(11, 13),
    ...Object.values(sums),
  ]);

describe("the counter", () => {
  it("counts by key, hour and status class", () => {
    const clock = new ManualClock(NOON);
    const counter = new RequestCounter(clock);
    for (const status of [200, 204, 302, 400, 404, 429, 429, 500, 503]) respond(counter, "key_1", status);
    respond(counter, "key_2", 200);
    expect(sumsIn(counter.take())).toEqual([
      ["key_1", "12", 3, 2, 2, 2],
      ["key_2", "12", 1, 0, 0, 0],
    ]);
  });

  it("returns a batch until it is stored, and counts what comes meanwhile once, in the hour that it came in", () => {
    const clock = new ManualClock(NOON);
    const counter = new RequestCounter(clock);
    respond(counter, "key_1", 200);
    const first = counter.take();
    respond(counter, "key_1", 200);
    expect(counter.take()).toBe(first);
    clock.advance(HOUR_MS);
    respond(counter, "key_1", 500);
    expect(counter.take()).toBe(first);
    respond(counter, "key_1", 200);
    expect(counter.take()).toBe(first);
    expect(sumsIn(first)).toEqual([["key_1", "12", 1, 0, 0, 0]]);
    counter.stored(first as CountedBatch);
    const second = counter.take();
    expect(second?.token).not.toBe(first?.token);
    expect(sumsIn(second)).toEqual([
      ["key_1", "12", 1, 0, 0, 0],
      ["key_1", "13", 1, 0, 0, 1],
    ]);
    counter.stored(second as CountedBatch);
    expect(counter.take()).toBeUndefined();
  });

  it("keeps no more than its maximum, between two batches and while one waits, and says how many it lost", () => {
    const clock = new ManualClock(NOON);
    const counter = new RequestCounter(clock, { hoursMax: 2 });
    for (const key of ["a", "b", "c", "a"]) respond(counter, key, 200);
    expect(sumsIn(counter.take())).toEqual([
      ["a", "12", 2, 0, 0, 0],
      ["b", "12", 1, 0, 0, 0],
    ]);
    expect(counter.lost).toBe(1);
    for (let hour = 0; hour < 5; hour++) {
      clock.advance(HOUR_MS);
      respond(counter, "a", 200);
      respond(counter, "a", 404);
      counter.take();
    }
    expect(counter.lost).toBe(1 + 3 * 2);
    counter.stored(counter.take() as CountedBatch);
    expect(sumsIn(counter.take())).toEqual([
      ["a", "13", 1, 1, 0, 0],
      ["a", "14", 1, 1, 0, 0],
    ]);
  });
});

describe("the counts in ClickHouse", () => {
  let clickhouse: TestClickHouse;
  beforeAll(async () => {
    clickhouse = await testClickHouse();
  });
  afterAll(() => clickhouse.close());

  const storedFor = async (tenantId: string) => {
    const result = await clickhouse.client.query({
      query: `SELECT sum(succeeded) AS succeeded, sum(server_errors) AS server_errors FROM key_requests
              WHERE tenant_id = {tenantId:String}`,
      query_params: { tenantId },
      format: "JSONEachRow",
    });
    const [row] = await result.json<Record<"succeeded" | "server_errors", string>>();
    return [Number(row?.succeeded), Number(row?.server_errors)];
  };
  const rename = (from: string, to: string) => clickhouse.client.command({ query: `RENAME TABLE ${from} TO ${to}` });

  it("are the same when a batch is sent again because its response was lost", async () => {
    const counter = new RequestCounter(new ManualClock(NOON));
    counter.add(keyNamed("key_1", "ten_twice"), 200);
    for (let attempt = 0; attempt < 3; attempt++) {
      await insertRequestCounts(clickhouse.client, counter.take() as CountedBatch);
    }
    expect(await storedFor("ten_twice")).toEqual([1, 0]);
    counter.stored(counter.take() as CountedBatch);
    counter.add(keyNamed("key_1", "ten_twice"), 200);
    await insertRequestCounts(clickhouse.client, counter.take() as CountedBatch);
    expect(await storedFor("ten_twice")).toEqual([2, 0]);
  });

  it("arrive once after inserts failed, with those of the time in between", async () => {
    let warnings = 0;
    const log = pino({ level: "warn" }, { write: () => void warnings++ });
    await rename("key_requests", "key_requests_away");
    const { counter, stop } = startRequestCounter({ clickhouse: clickhouse.client, clock: new ManualClock(NOON), log });
    counter.add(keyNamed("key_1", "ten_away"), 200);
    await eventually(() => warnings > 0);
    counter.add(keyNamed("key_1", "ten_away"), 503);
    await rename("key_requests_away", "key_requests");
    await expect.poll(() => storedFor("ten_away")).toEqual([1, 1]);
    await stop();
    expect(await storedFor("ten_away")).toEqual([1, 1]);
  });

  it("are stored at a stop, which does not fail without ClickHouse", async () => {
    const log = pino({ level: "silent" });
    const start = () => startRequestCounter({ clickhouse: clickhouse.client, clock: new ManualClock(NOON), log });
    const stopped = start();
    stopped.counter.add(keyNamed("key_1", "ten_stop"), 200);
    await stopped.stop();
    expect(await storedFor("ten_stop")).toEqual([1, 0]);
    await rename("key_requests", "key_requests_away");
    const without = start();
    without.counter.add(keyNamed("key_1", "ten_stop"), 200);
    await without.stop();
    await rename("key_requests_away", "key_requests");
    expect(await storedFor("ten_stop")).toEqual([1, 0]);
  });
});
