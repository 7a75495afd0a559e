import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasRedisServer } from "../../contract/redis-server";
import { eventually } from "../../factories/app";
import { isLongRun } from "../../factories/sampled";
import type { ServerProcess } from "./server-process";
import {
  expectExactly,
  gatherOffers,
  mostHanded,
  progress,
  SharedLedger,
  sendAllAgain,
  sendToBoth,
  whileVisited,
} from "./shared-traffic";
import { makeSharedWorld, type SharedWorld } from "./shared-world";
import { look } from "./traffic";

const MEGABYTES = 900;
const FROZEN_MS = 10_000;
/** Offers of one campaign that a visitor may get. */
const CAP = 2;

describe.skipIf(!hasRedisServer())("two web processes and a worker on one Postgres, ClickHouse and Redis", () => {
  let world: SharedWorld;
  const frozen: number[] = [];
  const ledger = new SharedLedger();
  beforeAll(async () => {
    world = await makeSharedWorld(MEGABYTES);
    await capCampaign();
  }, 300_000);
  afterEach(() => thaw());
  afterAll(() => world?.close(), 300_000);

  function freeze(pids: readonly number[]): void {
    frozen.push(...pids);
    for (const pid of pids) signal(pid, "SIGSTOP");
  }

  function thaw(): void {
    for (const pid of frozen.splice(0)) signal(pid, "SIGCONT");
  }

  /** A process of Postgres that serves one connection may end at any moment. */
  function signal(pid: number, name: NodeJS.Signals): void {
    try {
      process.kill(pid, name);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "ESRCH") throw failure;
    }
  }

  const change = (name: string, fields: string) =>
    world.rows("postgres", `UPDATE campaigns SET ${fields}, updated_at = now() WHERE name = '${name}'`);

  /** Leaves a campaign the price of `events` more: clicks of Auralis Audio, impressions of Lumenfold. */
  async function limitBudget(name: "Auralis Audio" | "Lumenfold", events: number): Promise<void> {
    const spent = "(SELECT coalesce(sum(nanos), 0) / 1000 FROM campaign_spend WHERE campaign_id = campaigns.id)";
    const price = "CASE model WHEN 'cpc' THEN bid_micros ELSE bid_micros / 1000 END";
    await change(name, `total_budget_micros = ${spent} + ${events} * ${price}`);
  }

  async function capCampaign(): Promise<void> {
    const caps = JSON.stringify([{ count: CAP, window_seconds: 86_400, per: "campaign" }]);
    await change("Strideon", `caps = '${caps}'::jsonb`);
    for (const [i, web] of world.webs.entries()) await eventually(() => isCapped(web, `probe-${i}`), 60_000);
  }

  /** What is left of each budget pays for no further event. */
  async function areBudgetsSpent(): Promise<boolean> {
    const open = await world.rows(
      "postgres",
      `SELECT name FROM campaigns c WHERE total_budget_micros IS NOT NULL AND total_budget_micros * 1000
         - (SELECT coalesce(sum(nanos), 0) FROM campaign_spend WHERE campaign_id = c.id)
         >= bid_micros * CASE model WHEN 'cpc' THEN 1000 ELSE 1 END`,
    );
    return open.length === 0;
  }

  async function isCapped({ url, keys }: ServerProcess, user: string): Promise<boolean> {
    const response = await fetch(`${url}/api/v1/offers`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-svc-api-key": keys.server },
      body: JSON.stringify({ query: "running shoes", user_id: user }),
    });
    return ((await response.json()) as { reason?: string }).reason === "frequency_cap";
  }

  async function expectExact(): Promise<void> {
    await sendAllAgain(world, ledger);
    await expectExactly(world, ledger);
    expect(await mostHanded(world, ledger)).toBe(CAP);
  }

  it("lose and double nothing when one web process is killed and comes back, and overspend no budget", async () => {
    await whileVisited(world, ledger, async () => {
      const clicks = await gatherOffers(world, ledger, ["wireless headphones", 80]);
      const reports = await gatherOffers(world, ledger, ["camera", 80]);
      await limitBudget("Auralis Audio", 10);
      await limitBudget("Lumenfold", 20);
      await look();
      const sent = sendToBoth(world, ledger, { clicks, reports });
      await progress(ledger, 30);
      await world.webs[0].kill();
      await sent;
      await world.restartWeb(0);
      await progress(ledger);
    });
    await expectExact();
    expect(await areBudgetsSpent()).toBe(true);
  }, 300_000);

  it("count on without Redis and with a Redis that comes back empty", async () => {
    await whileVisited(world, ledger, async () => {
      await progress(ledger);
      await world.redis.kill();
      await progress(ledger);
      await world.redis.restart();
      await progress(ledger);
    });
    await expectExact();
  }, 300_000);

  // One process shows the same in frozen-engines and full-disk.
  it.runIf(isLongRun)(
    "refuse in time what a frozen Postgres cannot keep, redirect, and go on once it and ClickHouse do",
    async () => {
      await whileVisited(world, ledger, async () => {
        await progress(ledger);
        freeze(world.clickhousePids());
        await progress(ledger);
        const [redirected, refused] = [ledger.count("click", 302), ledger.count("offers", 503)];
        // The one that starts others first.
        freeze(world.postgresPids().slice(0, 1));
        freeze(world.postgresPids());
        await sleep(FROZEN_MS);
        expect(ledger.count("click", 302)).toBeGreaterThan(redirected);
        expect(ledger.count("offers", 503)).toBeGreaterThan(refused);
        thaw();
        await progress(ledger);
      });
      await expectExact();
    },
    300_000,
  );

  it.runIf(isLongRun)(
    "refuse in time what a full disk cannot keep, redirect, and go on once there is room",
    async (test) => {
      test.skip(!world.disk.isLimited, "the user of the tests may not mount a small disk");
      await whileVisited(world, ledger, async () => {
        await progress(ledger);
        const [redirected, refused] = [ledger.count("click", 302), ledger.count("offers", 503)];
        await eventually(() => {
          world.disk.fill();
          return ledger.count("offers", 503) > refused + 10;
        }, 300_000);
        expect(ledger.count("click", 302)).toBeGreaterThan(redirected);
        world.disk.free();
        await progress(ledger);
      });
      await expectExact();
    },
    300_000,
  );
});
