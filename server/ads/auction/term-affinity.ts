import { USUAL_RATE } from "./click-rates";
import {
  estimatePositionBias,
  examined,
  type PositionBias,
  type PositionCounts,
  totalOf,
  USUAL_BIAS,
} from "./position-bias";

/** Counts of an item for one word of queries, or of everything that shares a predicted click rate. */
export interface TermCounts extends PositionCounts {
  /** "" for the sum over all channels. */
  channelId: string;
  /** Test traffic tells nothing about what people look at. */
  isLive: boolean;
  /** What shares a predicted click rate (`ClickRates`): a creative by itself, or the products of a campaign. */
  baseId: string;
  /** "" for the sum of the base over its items and all words. */
  itemId: string;
  term: string;
}

/** A pair's counts weigh as much as the assumption that it has no affinity after this many expected clicks. */
const PRIOR_CLICKS = 10;
/** Those of one channel weigh as much as those of all channels, of which they are a part, after this many. */
const CHANNEL_PRIOR_CLICKS = 20;
/** The same for the click rate of a base in impressions, and for that of the installation. */
const BASE_PRIOR_IMPRESSIONS = 300;
const USUAL_PRIOR_IMPRESSIONS = 1000;
export const AFFINITY_MIN = 0.5;
export const AFFINITY_MAX = 2;
/** A smaller difference of logarithms is not stored. */
const NEGLIGIBLE = 0.01;

/** The logarithm of the affinity by item, by term. */
type LogsByTerm = Map<string, Map<string, number>>;

/** The affinities of items for the words of one request. */
export interface RequestAffinity {
  /** 0.5 to 2; 1 for an item without data. */
  of(itemId: string): number;
}

interface Estimates {
  overall: LogsByTerm;
  byChannel: ReadonlyMap<string, LogsByTerm>;
}

/** How much more often visitors click an item for a word than its predicted click rate says. */
export class TermAffinity {
  readonly #overall: LogsByTerm;
  readonly #byChannel: ReadonlyMap<string, LogsByTerm>;

  constructor({ overall, byChannel }: Estimates = { overall: new Map(), byChannel: new Map() }) {
    this.#overall = overall;
    this.#byChannel = byChannel;
  }

  /**
   * Undefined if no item has data for these words. The affinities of several words are combined by their geometric
   * mean, in which a word without data is 1: the words of a query share its clicks, so their product would count each
   * click several times.
   */
  forRequest(channelId: string, terms: readonly string[]): RequestAffinity | undefined {
    const onChannel = this.#byChannel.get(channelId);
    const known = terms.flatMap((term) => {
      const [own, all] = [onChannel?.get(term), this.#overall.get(term)];
      return own || all ? [{ own, all }] : [];
    });
    if (known.length === 0) return undefined;
    return {
      of: (itemId) => {
        let sum = 0;
        for (const { own, all } of known) sum += own?.get(itemId) ?? all?.get(itemId) ?? 0;
        return sum === 0 ? 1 : Math.exp(sum / terms.length);
      },
    };
  }
}

/**
 * Estimates affinities. The lift of a pair of item and term is (clicks + k) / (expected clicks + k), the mean of a gamma
 * posterior around 1, with expected clicks = sum over positions of impressions x position bias x click rate of the base.
 * On a channel it is (clicks + k x overall lift) / (expected clicks + k), with the channel's own position bias and click
 * rate. A base has the scope of a predicted click rate, so a lift adds to the prediction only what it lacks.
 * `pause` is awaited between the steps of a long computation.
 */
export async function estimateTermAffinity(
  counts: readonly TermCounts[],
  { pause = async () => {} }: { pause?: () => Promise<void> } = {},
): Promise<TermAffinity> {
  const { all, byChannel } = divided(counts);
  const cells = [...byChannel.values()].flat().filter(({ itemId, isLive }) => itemId !== "" && isLive);
  const bias = estimatePositionBias(cells, USUAL_BIAS);
  await pause();
  const usual = usualRate(all, bias);
  const scope = { bias, rateOf: ratesOf(all, bias, () => usual), priorClicks: PRIOR_CLICKS };
  const overall = logsOf(all, scope, () => 0);
  await pause();
  const logsByChannel = new Map<string, LogsByTerm>();
  for (const [channelId, rows] of byChannel) {
    const own = estimatePositionBias(
      rows.filter(({ itemId }) => itemId !== ""),
      bias,
    );
    const rateOf = ratesOf(rows, own, scope.rateOf);
    const logs = logsOf(
      rows,
      { bias: own, rateOf, priorClicks: CHANNEL_PRIOR_CLICKS },
      ({ term, itemId }) => overall.get(term)?.get(itemId) ?? 0,
    );
    if (logs.size > 0) logsByChannel.set(channelId, logs);
    await pause();
  }
  return new TermAffinity({ overall, byChannel: logsByChannel });
}

function divided(counts: readonly TermCounts[]): { all: TermCounts[]; byChannel: Map<string, TermCounts[]> } {
  const all: TermCounts[] = [];
  const byChannel = new Map<string, TermCounts[]>();
  for (const row of counts) {
    const known = row.channelId === "" ? all : byChannel.get(row.channelId);
    if (known) known.push(row);
    else byChannel.set(row.channelId, [row]);
  }
  return { all, byChannel };
}

/** Clicks per impression at the first position, of all live traffic. */
function usualRate(all: readonly TermCounts[], bias: PositionBias): number {
  let [clicks, seen] = [USUAL_RATE * USUAL_PRIOR_IMPRESSIONS, USUAL_PRIOR_IMPRESSIONS];
  for (const row of all) {
    if (row.itemId !== "" || !row.isLive) continue;
    clicks += totalOf(row.clicks);
    seen += examined(row.impressions, bias);
  }
  return clicks / seen;
}

type RateOf = (baseId: string) => number;

/** The click rates of bases at the first position, shrunk to `usual`. */
function ratesOf(rows: readonly TermCounts[], bias: PositionBias, usual: RateOf): RateOf {
  const rates = new Map<string, number>();
  for (const { baseId, itemId, impressions, clicks } of rows) {
    if (itemId !== "") continue;
    const prior = usual(baseId) * BASE_PRIOR_IMPRESSIONS;
    rates.set(baseId, (totalOf(clicks) + prior) / (examined(impressions, bias) + BASE_PRIOR_IMPRESSIONS));
  }
  return (baseId) => rates.get(baseId) ?? usual(baseId);
}

interface Scope {
  bias: PositionBias;
  rateOf: RateOf;
  /** The weight of `usualLog`. */
  priorClicks: number;
}

/** The lifts of pairs that differ from `usualLog`, as logarithms. */
function logsOf(
  rows: readonly TermCounts[],
  { bias, rateOf, priorClicks }: Scope,
  usualLog: (row: TermCounts) => number,
): LogsByTerm {
  const logs: LogsByTerm = new Map();
  for (const row of rows) {
    if (row.itemId === "") continue;
    const usual = usualLog(row);
    const expected = examined(row.impressions, bias) * rateOf(row.baseId);
    const lift = (totalOf(row.clicks) + priorClicks * Math.exp(usual)) / (expected + priorClicks);
    const log = Math.log(Math.min(AFFINITY_MAX, Math.max(AFFINITY_MIN, lift)));
    if (Math.abs(log - usual) < NEGLIGIBLE) continue;
    const items = logs.get(row.term) ?? new Map<string, number>();
    logs.set(row.term, items.set(row.itemId, log));
  }
  return logs;
}
