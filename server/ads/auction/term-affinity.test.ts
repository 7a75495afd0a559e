import { beforeAll, describe, expect, it } from "vitest";
import { OFFERS_MAX } from "../serving/offer-request";
import { CHANNELS, type ClickLog, type LoggedOffer, looksAt, SHOWN, simulateClicks } from "./click-log.fixture";
import { estimatePositionBias, USUAL_BIAS } from "./position-bias";
import { AFFINITY_MAX, AFFINITY_MIN, estimateTermAffinity, TermAffinity, type TermCounts } from "./term-affinity";

/** Counts as they are read from ClickHouse: pairs and bases, per channel and overall. */
function countsOf(offers: readonly LoggedOffer[], { ignoresPositions = false } = {}): TermCounts[] {
  const counts = new Map<string, { impressions: number[]; clicks: number[] } & Omit<TermCounts, "impressions">>();
  for (const { channelId, itemId, term, position, isClicked } of offers) {
    const at = ignoresPositions ? 0 : position;
    for (const channel of ["", channelId]) {
      for (const [item, word] of [
        ["", ""],
        [itemId, term],
      ] as const) {
        const key = [channel, itemId, item, word].join();
        const row = counts.get(key) ?? {
          channelId: channel,
          isLive: true,
          baseId: itemId,
          itemId: item,
          term: word,
          impressions: Array<number>(OFFERS_MAX).fill(0),
          clicks: Array<number>(OFFERS_MAX).fill(0),
        };
        row.impressions[at] = (row.impressions[at] ?? 0) + 1;
        row.clicks[at] = (row.clicks[at] ?? 0) + (isClicked ? 1 : 0);
        counts.set(key, row);
      }
    }
  }
  return [...counts.values()];
}

/** The root mean square error of the logarithms of all estimates. */
function errorOf(affinity: TermAffinity, log: ClickLog): number {
  const squares = pairsOf(log).map(({ channel, item, term }) => {
    const estimate = affinity.forRequest(channel, [term])?.of(item) ?? 1;
    return Math.log(estimate / log.affinityOf(item, term)) ** 2;
  });
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

const pairsOf = ({ channels, items, terms }: ClickLog) =>
  channels.flatMap((channel) => items.flatMap((item) => terms.map((term) => ({ channel, item, term }))));

/** True clicks per impression at the first position if the item of the highest predicted rate is shown for each word. */
function clicksWon({ channels, terms, items, ...log }: ClickLog, factor: Factor): number {
  const rates = channels.flatMap((channel) =>
    terms.map((term) => {
      const predicted = items.map((item) => ({ item, rate: log.rateOf(item) * factor({ channel, term, item }) }));
      const [best] = predicted.sort((a, b) => b.rate - a.rate);
      return best ? log.rateOf(best.item) * log.affinityOf(best.item, term) : 0;
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

type Factor = (pair: { channel: string; term: string; item: string }) => number;
const learned =
  (affinity: TermAffinity): Factor =>
  ({ channel, term, item }) =>
    affinity.forRequest(channel, [term])?.of(item) ?? 1;

describe.each([1, 2, 3, 4, 5])("a simulated click log with known truth, seed %d", (seed) => {
  const log = simulateClicks({ seed, requests: 60_000 });
  let affinity: TermAffinity;
  let uncorrected: TermAffinity;
  beforeAll(async () => {
    affinity = await estimateTermAffinity(countsOf(log.offers));
    uncorrected = await estimateTermAffinity(countsOf(log.offers, { ignoresPositions: true }));
  });

  it("is explained better with the correction of positions than without, and much better than by click rates", () => {
    const error = errorOf(affinity, log);
    expect(error).toBeLessThan(0.8 * errorOf(uncorrected, log));
    expect(error).toBeLessThan(0.7 * errorOf(new TermAffinity(), log));
  });

  it("gives ranks that earn most of the clicks which the true affinities would earn beyond click rates", () => {
    const alone = clicksWon(log, () => 1);
    const perfect = clicksWon(log, ({ term, item }) => log.affinityOf(item, term));
    const won = clicksWon(log, learned(affinity));
    expect(won).toBeGreaterThan(alone + 0.5 * (perfect - alone));
    expect(won).toBeGreaterThan(clicksWon(log, learned(uncorrected)));
  });

  it("tells how much is looked at each position of each channel", () => {
    const counts = countsOf(log.offers);
    for (const channel of CHANNELS) {
      const cells = counts.filter(({ channelId, itemId }) => channelId === channel && itemId !== "");
      const bias = estimatePositionBias(cells, USUAL_BIAS);
      for (const [at, share] of bias.slice(0, SHOWN).entries()) expect(share).toBeCloseTo(looksAt(channel, at), 1);
    }
  });
});

/** As many offers for a word on a channel at the first position, of which `clicks` were clicked. */
const shown = (itemId: string, term: string, { count = 100, clicks = 0, channelId = "chn_a", position = 0 } = {}) =>
  Array.from({ length: count }, (_, i): LoggedOffer => ({ channelId, itemId, term, position, isClicked: i < clicks }));

describe("term affinity", () => {
  it("is unknown without data, and for words and items without data", async () => {
    expect(new TermAffinity().forRequest("chn_a", ["boots"])).toBeUndefined();
    expect((await estimateTermAffinity([])).forRequest("chn_a", ["boots"])).toBeUndefined();
    const affinity = await estimateTermAffinity(
      countsOf([...shown("crv_1", "boots", { clicks: 30 }), ...shown("crv_1", "sandals")]),
    );
    expect(affinity.forRequest("chn_a", ["socks"])).toBeUndefined();
    expect(affinity.forRequest("chn_a", [])).toBeUndefined();
    expect(affinity.forRequest("chn_a", ["boots"])?.of("crv_2")).toBe(1);
  });

  it("stays within its range however much is clicked, and between 1 and it for several words", async () => {
    const affinity = await estimateTermAffinity(
      countsOf([
        ...shown("crv_1", "boots", { count: 1000, clicks: 1000 }),
        ...shown("crv_1", "sandals", { count: 100_000 }),
      ]),
    );
    const of = (...terms: string[]) => affinity.forRequest("chn_a", terms)?.of("crv_1") ?? Number.NaN;
    expect(of("boots")).toBeCloseTo(AFFINITY_MAX, 10);
    expect(of("sandals")).toBeCloseTo(AFFINITY_MIN, 10);
    expect(of("boots", "red")).toBeCloseTo(Math.sqrt(AFFINITY_MAX), 10);
    expect(of("boots", "sandals")).toBeCloseTo(1, 10);
  });

  it("is stronger on the channel where it was learned than on others", async () => {
    const other = { channelId: "chn_b" };
    const affinity = await estimateTermAffinity(
      countsOf([
        ...shown("crv_1", "boots", { clicks: 8 }),
        ...shown("crv_1", "sandals", { count: 400, clicks: 8 }),
        ...shown("crv_1", "boots", { ...other, count: 400, clicks: 8 }),
        ...shown("crv_1", "sandals", { ...other, count: 400, clicks: 8 }),
      ]),
    );
    const [here, there, elsewhere] = ["chn_a", "chn_b", "chn_c"].map(
      (channel) => affinity.forRequest(channel, ["boots"])?.of("crv_1") ?? Number.NaN,
    );
    expect(here).toBeGreaterThan(elsewhere ?? 0);
    expect(elsewhere).toBeGreaterThan(there ?? 0);
    expect(elsewhere).toBeGreaterThan(1);
  });

  it("does not mistake a bad place for a bad item", async () => {
    const affinity = await estimateTermAffinity(
      countsOf([
        ...shown("crv_1", "boots", { count: 1000, clicks: 100 }),
        ...shown("crv_1", "sandals", { count: 1000, clicks: 58, position: 2 }),
      ]),
    );
    for (const term of ["boots", "sandals"]) {
      expect(affinity.forRequest("chn_a", [term])?.of("crv_1") ?? 1).toBeCloseTo(1, 1);
    }
  });

  it("learns nothing about positions on live channels from test traffic", async () => {
    const live = [...shown("crv_1", "boots", { clicks: 9 }), ...shown("crv_1", "boots", { clicks: 5, position: 3 })];
    const test = [
      ...shown("crv_t", "boots", { count: 9000, clicks: 90, channelId: "chn_t" }),
      ...shown("crv_t", "boots", { count: 9000, clicks: 9000, channelId: "chn_t", position: 3 }),
    ];
    const counts = countsOf(live);
    const isTest = countsOf(test).map((row) => ({ ...row, isLive: false }));
    const of = async (rows: TermCounts[]) =>
      (await estimateTermAffinity(rows)).forRequest("chn_a", ["boots"])?.of("crv_1");
    expect(await of([...counts, ...isTest])).toBe(await of(counts));
  });
});
