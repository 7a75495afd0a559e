import { Client } from "pg";
import { describe, expect, it, vi } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { resumeShipping, stopShipping, whileShipping } from "./shipping-lock";

const database = await openForFile(testDatabase());

async function backup(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

const tryToShip = () => whileShipping(database.sql, async () => "shipped");

describe("whileShipping", () => {
  it("lets any number of processes ship concurrently", async () => {
    const both = whileShipping(database.sql, () => tryToShip());
    expect(await both).toBe("shipped");
  });

  it("ships nothing while a backup has the lock, and continues when the backup ends or dies", async () => {
    for (const end of [resumeShipping, (client: Client) => client.end()]) {
      const client = await backup();
      await stopShipping(client);
      expect(await tryToShip()).toBeUndefined();
      await end(client);
      await vi.waitUntil(async () => (await tryToShip()) === "shipped", { timeout: 30_000, interval: 20 });
      await client.end().catch(() => undefined);
    }
  });

  it("makes a backup wait for running transfers, and for none that come after it", async () => {
    const client = await backup();
    let isStopped = false;
    let finish = () => {};
    const underWay = whileShipping(database.sql, () => new Promise<void>((resolve) => (finish = resolve)));
    await vi.waitUntil(async () => (await held()) === 1, { timeout: 30_000, interval: 20 });
    const stopped = stopShipping(client).then(() => {
      isStopped = true;
    });
    await vi.waitUntil(async () => (await tryToShip()) === undefined, { timeout: 30_000, interval: 20 });
    expect(isStopped).toBe(false);
    finish();
    await underWay;
    await stopped;
    await client.end();
  });

  it("releases the lock when shipping fails", async () => {
    const failed = whileShipping(database.sql, () => Promise.reject(new Error("ClickHouse is unavailable")));
    await expect(failed).rejects.toThrow("ClickHouse is unavailable");
    const client = await backup();
    await stopShipping(client);
    await client.end();
  });
});

async function held(): Promise<number> {
  const { rows } = await database.sql.query<{ held: number }>(
    `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows[0]?.held ?? 0;
}
