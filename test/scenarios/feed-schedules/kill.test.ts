import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, afterEach, expect, inject, it, vi } from "vitest";
import { getFeedSchedule } from "../../../server/ads/feed-schedules/get-feed-schedule";
import { setFeedSchedule } from "../../../server/ads/feed-schedules/set-feed-schedule";
import { systemClock } from "../../../server/kernel/clock";
import { adsTest, call, makeCampaign } from "../../factories/ads";
import { csvOf, feedShop } from "../../factories/feed-shop";
import { testProgram } from "../../factories/test-program";

const WITHIN = { timeout: 30_000, interval: 50 };

const children: ChildProcess[] = [];
const [ads, shop] = await Promise.all([adsTest(), feedShop()]);
const program = await testProgram(path.join(import.meta.dirname, "fetching-process.ts"));
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});
afterAll(async () => {
  await shop.close();
  await ads.close();
});

function start(): ChildProcess {
  const child = fork(program, [ads.url, inject("feedWorkerFile"), String(shop.port)]);
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

it("a worker killed in the middle of a fetch leaves it to another one at once, and two never fetch a feed together", async () => {
  // The processes have the system's clock.
  const ctx = { ...(await ads.tenant()).key("live"), clock: systemClock };
  const { id } = await makeCampaign(ctx);
  const ids = Array.from({ length: 1500 }, (_, i) => `sku-${i}`);
  const open = new Set<unknown>();
  let together = 0;
  let isWhole = false;
  shop.respond((response) => {
    open.add(response);
    together = Math.max(together, open.size);
    response.on("close", () => open.delete(response));
    response.writeHead(200, { "content-type": "text/csv" });
    if (isWhole) response.end(csvOf(...ids));
    else response.write(csvOf(...ids.slice(0, 1200)));
  });
  await call(ctx, setFeedSchedule, { id, url: "https://shop.example/feed.csv", interval: "24h" });
  const live = () => ads.db.product.count({ where: { campaignId: id, archivedAt: null } });
  const [one, other] = [start(), start()];
  await vi.waitUntil(async () => (await live()) === 1000, WITHIN);
  const schedule = () => call(ctx, getFeedSchedule, { id });
  expect(await schedule()).toMatchObject({ fetching: true, last_fetch: null });
  // Whichever has it: after the second kill nobody does.
  await kill(one);
  await vi.waitUntil(() => open.size === 1, WITHIN);
  await kill(other);
  await vi.waitUntil(() => open.size === 0, WITHIN);
  expect(await schedule()).toMatchObject({ fetching: true, last_fetch: null });
  isWhole = true;
  start();
  start();
  await vi.waitUntil(async () => (await schedule()).last_fetch !== null, WITHIN);
  expect(await schedule()).toMatchObject({
    fetching: false,
    status: "active",
    consecutive_failures: 0,
    last_fetch: { outcome: "imported" },
    last_import: { accepted: 1500, rejected: 0, complete: true },
  });
  expect(await live()).toBe(1500);
  expect(together).toBe(1);
});
