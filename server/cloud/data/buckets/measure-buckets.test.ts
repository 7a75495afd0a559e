import { expect, it } from "vitest";
import { testApp } from "../../../../test/factories/app";
import { openForFile } from "../../../../test/factories/open-for-file";
import { type StorageClient, storageTenant } from "../../../../test/factories/storage";
import { ManualClock } from "../../../kernel/clock";
import { measuringTasks } from "./measure-buckets";

const [HOUR, DAY] = [3_600_000, 86_400_000];
let client: StorageClient;
const test = await openForFile(
  testApp({ env: { ROLE: "web" }, clock: new ManualClock(new Date("2026-11-20T12:34:56Z")) }),
);
({ client } = await storageTenant(test));

const measure = async (at: Date): Promise<void> => {
  for (const task of Object.values(measuringTasks({ sql: test.engines.sql, clock: new ManualClock(at) }))) {
    await task({}, { isLast: false });
  }
};
const rows = async (): Promise<number> =>
  Number((await test.engines.sql.query("SELECT count(*) AS n FROM bucket_hours")).rows[0].n);

it("a bucket's usage is measured each hour, kept for 90 days, stored only when it changed, and forgotten with the bucket", async () => {
  const name = "measured";
  await client.create(name);
  const now = test.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await client.put(name, "a");
  await measure(before(95 * DAY));
  await client.put(name, "b");
  await measure(before(92 * DAY));
  await measure(before(10 * DAY));
  await client.put(name, "c");
  await measure(before(3 * HOUR));
  await measure(before(3 * HOUR - 1000));
  // What was stored 92 days ago says what the bucket had 90 days ago; the row before it is not needed.
  await measure(now);
  expect(await rows()).toBe(2);
  type Usage = { step: string; points: { start: string; objects: number; bytes: number }[] };
  const usage = async (days: number) => (await client.call<Usage>(`/buckets/${name}/usage?days=${days}`)).body;
  const quarter = await usage(90);
  expect([quarter.step, quarter.points.length, quarter.points[0]?.objects, quarter.points.at(-1)?.bytes]).toEqual([
    "1d",
    90,
    2,
    3,
  ]);
  const day = await usage(1);
  expect([day.step, ...day.points.map(({ objects }) => objects)]).toEqual([
    "1h",
    ...Array.from({ length: 20 }, () => 2),
    3,
    3,
    3,
    3,
  ]);
  expect((await client.call(`/buckets/${name}/usage?days=91`)).status).toBe(400);
  await client.call(`/buckets/${name}/objects/delete`, { body: { keys: ["a", "b", "c"] } });
  expect((await client.call(`/buckets/${name}`, { method: "DELETE" })).status).toBe(204);
  expect(await rows()).toBe(0);
});
