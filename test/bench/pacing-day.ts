import type { PriceModel } from "../../server/kernel/money";

export const STEP_MS = 30_000;
export const STEPS = 86_400_000 / STEP_MS;
const STEPS_PER_HOUR = STEPS / 24;
const NOISE_STEPS = 10;
const HISTORY_DAYS = 7;

/** A number in [0, 1) from a seed: mulberry32 (Tommy Ettinger), so that every policy meets the same day. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Knuth's product of uniforms; the normal approximation for large means. */
export function poisson(mean: number, random: () => number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let [count, product] = [0, random()];
  for (const floor = Math.exp(-mean); product > floor; count++) product *= random();
  return count;
}

/** How many of `count` happen that each happen with a chance; approximately for many. */
export function happening(count: number, rate: number, random: () => number): number {
  if (count > 50) {
    const mean = count * rate;
    if (mean <= 30) return Math.min(count, poisson(mean, random));
    return Math.min(count, Math.max(0, Math.round(mean + Math.sqrt(mean * (1 - rate)) * normal(random))));
  }
  let happened = 0;
  for (let i = 0; i < count; i++) if (random() < rate) happened++;
  return happened;
}

/** A campaign and the day that it meets. */
export interface Actor {
  id: string;
  model: PriceModel;
  bidMicros: number;
  priceNanos: number;
  budgetMicros: number;
  /** The share of served offers that comes to cost something, and what is predicted of it. */
  settleRate: number;
  predictedRate: number;
  /** Requests that it could answer, expected in each step of today, with the noise of the day. */
  supply: Float32Array;
  /** The share of a day's requests before each hour, without noise: the curve that an ideal pace follows. */
  ideal: number[];
  /** Requests by hour in the days before. */
  history: number[];
}

/** Campaigns with two peaks a day in many time zones, and supply for half of their budgets to fifty times as much. */
export function dayOf(count: number, seed: number): Actor[] {
  const random = chance(seed);
  return Array.from({ length: count }, (_, i) => actorOf(i, random));
}

function actorOf(i: number, random: () => number): Actor {
  const model: PriceModel = i % 2 === 0 ? "cpc" : "cpm";
  const settleRate = model === "cpc" ? 0.002 + 0.018 * random() : 0.3 + 0.5 * random();
  const isNew = random() < 0.2;
  const usual = model === "cpc" ? 0.005 : 0.5;
  const bidMicros = Math.round((model === "cpc" ? 300_000 : 3_000_000) * Math.exp(0.5 * normal(random)));
  const priceNanos = Math.round(bidMicros * (model === "cpc" ? 1000 : 1) * (0.6 + 0.4 * random()));
  const events = Math.round((model === "cpc" ? 40 : 100) * 20 ** random());
  const plenty = 0.5 * 100 ** random();
  const hours = hoursOf(random);
  return {
    ...{ id: `cmp_${i}`, model, bidMicros, priceNanos, settleRate, ideal: cumulative(hours) },
    budgetMicros: Math.round((events * priceNanos) / 1000),
    predictedRate: isNew ? usual : Math.min(1, settleRate * Math.exp(0.2 * normal(random))),
    supply: supplyOf(hours, { requests: (events * plenty) / settleRate, random }),
    history: historyOf(hours, { requests: (events * plenty) / settleRate, random }),
  };
}

/** Shares of a day: a floor at night, a peak at noon and a higher one in the evening, wherever the campaign is at home. */
function hoursOf(random: () => number): number[] {
  const shift = 24 * random();
  const [noon, evening] = [12 + normal(random), 20 + normal(random)];
  const bell = (hour: number, peak: number, width: number) => Math.exp(-(((hour - peak) / width) ** 2) / 2);
  const shares = Array.from({ length: 24 }, (_, hour) => {
    const local = (hour + shift) % 24;
    return 0.15 + 0.8 * bell(local, noon, 2.5) + bell(local, evening, 2) + bell(local + 24, evening, 2);
  });
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

function cumulative(hours: readonly number[]): number[] {
  const sums = [0];
  for (const share of hours) sums.push((sums.at(-1) ?? 0) + share);
  return sums;
}

interface Volume {
  requests: number;
  random: () => number;
}

/** Today: busier or quieter than usual, with noise that lasts for some while (AR(1) every five minutes) and bursts. */
function supplyOf(hours: readonly number[], { requests, random }: Volume): Float32Array {
  const day = requests * Math.exp(0.25 * normal(random));
  const supply = new Float32Array(STEPS);
  let [noise, burst] = [0, 1];
  for (let step = 0; step < STEPS; step++) {
    if (step % NOISE_STEPS === 0) {
      noise = 0.9 * noise + 0.13 * normal(random);
      burst = random() < 0.01 ? 4 : 1;
    }
    supply[step] = ((day * (hours[Math.floor(step / STEPS_PER_HOUR)] ?? 0)) / STEPS_PER_HOUR) * Math.exp(noise) * burst;
  }
  return supply;
}

function historyOf(hours: readonly number[], { requests, random }: Volume): number[] {
  return hours.map((share) => {
    let sum = 0;
    for (let day = 0; day < HISTORY_DAYS; day++) sum += requests * share * Math.exp(0.3 * normal(random));
    return Math.round(sum);
  });
}

/** Seconds from an offer to its click or view: log-normal, half of the clicks within 25 s and one in twenty after 3 min. */
export function delaySteps(model: PriceModel, random: () => number): number {
  const seconds = (model === "cpc" ? 25 : 4) * Math.exp(1.2 * normal(random));
  return Math.floor((seconds * 1000) / STEP_MS + random());
}
