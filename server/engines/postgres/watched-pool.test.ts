import { afterEach, expect, test, vi } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { WatchedPool } from "./watched-pool";

const database = await openForFile(testDatabase());
afterEach(() => void vi.useRealTimers());

test("the server is only probed while connections are in use, so that an idle pool sets no timer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const pool = new WatchedPool({ connectionString: database.url, max: 1 });
  expect(vi.getTimerCount()).toBe(0);
  for (const round of [1, 2]) {
    const client = await pool.connect();
    const waiting = pool.query("SELECT 1");
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount(), `connection ${round} is in use`).toBe(1);
    client.release();
    await waiting;
    await vi.waitFor(() => {
      vi.advanceTimersByTime(1000);
      expect(vi.getTimerCount(), `after connection ${round} was returned`).toBe(0);
    });
  }
  await pool.end();
});
