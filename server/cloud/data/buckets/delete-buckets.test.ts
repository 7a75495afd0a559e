import { describe, expect, it } from "vitest";
import { testApp } from "../../../../test/factories/app";
import { openForFile } from "../../../../test/factories/open-for-file";
import { type StorageClient, storageTenant } from "../../../../test/factories/storage";
import type { Objects } from "../objects/objects";
import { DELETE_BUCKETS, deletionTasks } from "./delete-buckets";

let client: StorageClient;
// No worker of its own: the tests run the tasks.
const test = await openForFile(testApp({ env: { ROLE: "web" } }));
({ client } = await storageTenant(test));

/** One run of the task, as a worker makes it. */
async function run(empty: Objects["empty"], warnings: object[] = []): Promise<void> {
  const { db, sql, clock, counters } = test.app.cloud;
  const log = { warn: (fields: object) => void warnings.push(fields) };
  const tasks = deletionTasks({ db, sql, clock, counters, objects: { empty }, log: log as never });
  await tasks[DELETE_BUCKETS]?.({}, { isLast: false });
}
const engine = (): Objects => test.app.cloud.objects;
const waitingJobs = async (): Promise<number> =>
  Number(
    (
      await test.engines.sql.query("SELECT count(*) AS n FROM graphile_worker.jobs WHERE task_identifier = $1", [
        DELETE_BUCKETS,
      ])
    ).rows[0].n,
  );

async function begun(name: string, count: number): Promise<void> {
  await client.create(name);
  await client.put(name, ...Array.from({ length: count }, (_, i) => `key-${i}`));
  expect((await client.call(`/buckets/${name}?force=true`, { method: "DELETE" })).status).toBe(202);
}

describe("the forced deletion of a bucket", () => {
  it("goes on where a failed or killed process stopped, with its progress, and refuses new objects and changes", async () => {
    await begun("resumed", 9);
    expect(await waitingJobs()).toBe(1);
    let calls = 0;
    const failing: Objects["empty"] = async (bucket) => {
      if (++calls > 2) throw new Error("the process was killed");
      return engine().empty(bucket, 3);
    };
    const warnings: object[] = [];
    await run(failing, warnings);
    expect(warnings).toHaveLength(1);
    const { body } = await client.call("/buckets/resumed");
    expect(body).toMatchObject({ usage: { versions: 3 }, deletion: { deleted: 6, total: 9 } });

    await expect(client.put("resumed", "new")).rejects.toMatchObject({ details: { reason: "no_such_bucket" } });
    const put = { bucket: "resumed", key: "new", operation: "put_object" };
    const being = { status: 409, body: { error: { details: { reason: "bucket_being_deleted" } } } };
    expect(await client.call("/presign", { body: put })).toMatchObject(being);
    expect((await client.call("/presign", { body: { ...put, operation: "get_object" } })).status).toBe(200);
    expect(await client.call("/buckets/resumed", { method: "PATCH", body: { versioning: "on" } })).toMatchObject(being);
    const again = await client.call("/buckets/resumed", { method: "DELETE" });
    expect(again).toMatchObject({ status: 202, body: { deletion: { total: 9 } } });

    await run((bucket, max) => engine().empty(bucket, max));
    expect((await client.call("/buckets/resumed")).status).toBe(404);
  });

  it("is done by one process at a time, and by another one when the lock of a killed one ends", async () => {
    await begun("alone", 1);
    const { id } = (await client.call("/buckets/alone")).body;
    const other = await test.engines.sql.connect();
    await other.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [`deletion of ${id}`]);
    let calls = 0;
    const counted: Objects["empty"] = (bucket, max) => {
      calls++;
      return engine().empty(bucket, max);
    };
    await run(counted);
    expect(calls).toBe(0);
    // Ends the connection, as the end of its process does.
    other.release(true);
    await expect
      .poll(async () => {
        await run(counted);
        return (await client.call("/buckets/alone")).status;
      })
      .toBe(404);
  });

  it("yields after a number of batches, so that a process can stop, and has the next run start at once", async () => {
    await begun("large", 25);
    await test.engines.sql.query("DELETE FROM graphile_worker._private_jobs");
    await run((bucket) => engine().empty(bucket, 1));
    expect((await client.call("/buckets/large")).body.deletion).toMatchObject({ deleted: 20, total: 25 });
    expect(await waitingJobs()).toBe(1);
    await run((bucket, max) => engine().empty(bucket, max));
    expect((await client.call("/buckets/large")).status).toBe(404);
  });
});
