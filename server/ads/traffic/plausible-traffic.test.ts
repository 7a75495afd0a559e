import { beforeEach, describe, expect, it } from "vitest";
import type { Counters } from "../../engines/counters/counters";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import { ManualClock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { CLICKS_OF_NETWORK, IMPRESSIONS_BASE, IMPRESSIONS_OF_NETWORK, IMPRESSIONS_PER_NETWORK } from "../limits";
import { isPlausibleClickRate, wilsonLowerBound } from "./plausibility";
import { PlausibleTraffic } from "./plausible-traffic";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
let clock: ManualClock;
let counters: Counters;
let plausible: PlausibleTraffic;
beforeEach(() => {
  clock = new ManualClock(new Date("2026-11-20T00:00:00Z"));
  counters = new MemoryCounters(clock);
  plausible = new PlausibleTraffic({ counters, clock });
});

let ids = 0;
interface Where {
  channelId?: string;
  tenantId?: string;
  priceNanos?: number;
}
const offer = (userKey: string, { channelId = "chn_1", tenantId = "ten_1", priceNanos = 1 }: Where = {}) => ({
  id: `offer-${++ids}`,
  channelId,
  tenantId,
  userKey,
  priceNanos,
});
const offers = (count: number, where: Where = {}) =>
  Array.from({ length: count }, () => offer(`user-${ids % 50_000}`, where));

/** The number of billed impressions among the reported ones. */
async function billed(reported: ReturnType<typeof offer>[], by = plausible): Promise<number> {
  return reported.length - (await by.ofServer(reported)).size;
}

/** The number billed on a day when the server reports some offers every two minutes. */
async function billedOfDay(size: number, where: (n: number) => Where = () => ({})): Promise<number> {
  let total = 0;
  for (let n = 0; n < DAY_MS / (2 * MINUTE_MS); n++) {
    total += await billed(offers(size, where(n)));
    clock.advance(2 * MINUTE_MS);
  }
  return total;
}

describe("impressions that a publisher's server reports", () => {
  it("are billed up to the base allowance without any visitor, whatever user ids the server sends", async () => {
    for (let day = 0; day < 3; day++) expect(await billedOfDay(IMPRESSIONS_BASE.minute)).toBe(IMPRESSIONS_BASE.day);
  });

  it("are billed up to the base allowance per minute, and implausible ones count as well", async () => {
    expect(await billed(offers(256))).toBe(IMPRESSIONS_BASE.minute);
    expect(await billed(offers(256))).toBe(0);
    clock.advance(MINUTE_MS);
    expect(await billed(offers(256))).toBe(0);
  });

  it("share the base allowance of their publisher, regardless of its number of channels", async () => {
    expect(await billedOfDay(8, (n) => ({ channelId: `chn_${n % 100}` }))).toBe(IMPRESSIONS_BASE.day);
    expect(await billed(offers(10, { tenantId: "ten_2" }))).toBe(10);
  });

  it("are limited per user, and for all requests without a user id together", async () => {
    for (let n = 0; n < 1000; n++) await plausible.ofClick(offer("u"), `network-${n}`);
    expect(await billed(Array.from({ length: 256 }, () => offer("one")))).toBe(120);
    clock.advance(60 * MINUTE_MS);
    expect(await billed(Array.from({ length: 200 }, () => offer("one")))).toBe(120);
    plausible = new PlausibleTraffic({ counters: new MemoryCounters(clock), clock });
    let nameless = 0;
    for (let minutes = 0; minutes < 60; minutes++) {
      nameless += await billed(Array.from({ length: 60 }, () => offer("")));
      clock.advance(MINUTE_MS);
    }
    expect(nameless).toBe(IMPRESSIONS_BASE.day / 2);
  });

  it("are billed as far as the networks of people's clicks explain them", async () => {
    for (let n = 0; n < 3; n++) expect(await plausible.ofClick(offer("u"), `network-${n}`)).toBe("");
    for (let n = 0; n < 20; n++) await plausible.ofClick(offer("u"), "network-0");
    expect(await billedOfDay(64)).toBe(IMPRESSIONS_BASE.day + 3 * IMPRESSIONS_PER_NETWORK.day);
  });

  it("of house and test offers are not checked", async () => {
    expect(await billed(offers(1000, { priceNanos: 0 }))).toBe(1000);
  });

  it("are billed up to the base allowance while the counters are unavailable or lost their data", async () => {
    const away = () => Promise.reject(new ServiceError("unavailable", "Redis is unavailable."));
    const broken = new PlausibleTraffic({ counters: Object.assign(new MemoryCounters(clock), { count: away }), clock });
    for (let n = 0; n < 100; n++) expect(await broken.ofClick(offer("u"), `network-${n}`)).toBe("");
    expect(await billed(offers(256), broken)).toBe(IMPRESSIONS_BASE.minute);
    for (let n = 0; n < 100; n++) await plausible.ofClick(offer("u"), `network-${n}`);
    await counters.close();
    expect(await billed(offers(256))).toBe(IMPRESSIONS_BASE.minute);
  });

  it("use one counter operation per batch", async () => {
    let steps = 0;
    const { count } = counters;
    counters.count = (tallies) => {
      steps++;
      return count.call(counters, tallies);
    };
    await plausible.ofServer(offers(256));
    expect(steps).toBe(1);
  });

  it("are almost all billed at 200,000 a day with a click from a new network for every 200 of them", async () => {
    const lost: number[] = [];
    let clicks = 0;
    for (let day = 0; day < 3; day++) {
      let billedToday = 0;
      for (let batch = 0; batch < 4000; batch++) {
        billedToday += await billed(offers(50));
        if (batch % 4 === 3) expect(await plausible.ofClick(offer("u"), `network-${clicks++ % 5000}`)).toBe("");
        clock.advance(DAY_MS / 4000);
      }
      lost.push(200_000 - billedToday);
    }
    process.stderr.write(`honest channel: ${lost.join(", ")} of 200,000 a day not billed\n`);
    expect(lost[0]).toBeLessThan(2_000);
    expect(lost.slice(1)).toEqual([0, 0]);
  });
});

describe("impressions that browsers report", () => {
  it("are limited per network, with more for a channel with other networks", async () => {
    const of = async (network: string) => 200 - (await plausible.ofBrowser(offers(200), network)).size;
    const total = async (network: string) => {
      let sum = 0;
      for (let n = 0; n < 10; n++) sum += await of(network);
      return sum;
    };
    const { base, perNetwork } = IMPRESSIONS_OF_NETWORK;
    await plausible.ofBrowser(offers(1), "network-a");
    expect(await total("network-a")).toBe(base + perNetwork - 1);
    expect(await total("network-b")).toBe(base + 2 * perNetwork);
    expect([...(await plausible.ofBrowser(offers(1), "network-b")).values()]).toEqual(["implausible_spread"]);
  });
});

describe("clicks", () => {
  const clicks = async (count: number, network: (n: number) => string) => {
    const reasons: string[] = [];
    for (let n = 0; n < count; n++) reasons.push(await plausible.ofClick(offer("u"), network(n)));
    return reasons;
  };
  const valid = (reasons: string[]) => reasons.filter((reason) => reason === "").length;

  it("are limited per network, with more where people from other networks click", async () => {
    const reasons = await clicks(100, () => "one");
    expect(valid(reasons)).toBe(CLICKS_OF_NETWORK.base);
    expect(new Set(reasons)).toEqual(new Set(["", "implausible_spread"]));
    await clicks(1000, (n) => `network-${n}`);
    expect(valid(await clicks(1000, () => "carrier"))).toBe(
      CLICKS_OF_NETWORK.base + CLICKS_OF_NETWORK.perNetwork * 1002,
    );
  });

  it("are limited by the impressions that the channel reports", async () => {
    await plausible.ofServer(offers(50));
    const reasons = await clicks(400, (n) => `network-${n}`);
    expect(new Set(reasons)).toEqual(new Set(["", "implausible_click_rate"]));
    expect(valid(reasons)).toBeLessThan(30);
  });

  it("of a channel that reports no impressions are limited only by their spread", async () => {
    expect(valid(await clicks(400, (n) => `network-${n}`))).toBe(400);
  });
});

describe("the click rate", () => {
  it("is never implausible for few clicks, and is for many at a rate that no placement reaches", () => {
    expect(isPlausibleClickRate(20, 20)).toBe(true);
    expect(isPlausibleClickRate(21, 21)).toBe(false);
    expect(isPlausibleClickRate(30, 100)).toBe(true);
    expect(isPlausibleClickRate(40, 100)).toBe(true);
    expect(isPlausibleClickRate(400, 1000)).toBe(false);
    expect(isPlausibleClickRate(3000, 10_000)).toBe(true);
  });

  it("has the lower bound of Wilson's interval", () => {
    for (const [hits, trials] of [
      [1, 10],
      [8, 10],
      [300, 1000],
      [1000, 1000],
    ] as const) {
      const bound = wilsonLowerBound(hits, trials);
      // The rate that is 2.576 standard errors below the observed one.
      expect(hits / trials - bound).toBeCloseTo(2.576 * Math.sqrt((bound * (1 - bound)) / trials), 10);
    }
    expect(wilsonLowerBound(0, 10)).toBeCloseTo(0, 10);
  });
});
