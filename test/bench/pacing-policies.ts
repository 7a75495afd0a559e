import { ExpectedSpend, SETTLES_AFTER_MS, type SharedPending } from "../../server/ads/budgets/expected-spend";
import { Pacer } from "../../server/ads/budgets/pacer";
import { isBudgetSpent, withSpend } from "../../server/ads/budgets/spend";
import { TrafficProfiles } from "../../server/ads/budgets/traffic-profiles";
import type { ServingCampaign } from "../../server/ads/serving/serving";
import { type Actor, STEP_MS, STEPS } from "./pacing-day";
import { benchCampaign } from "./relevance-scene";

/** Decides by itself, from what was charged until the step before, what share of requests each campaign takes part in. */
export interface Policy {
  name: string;
  /** Before each step, with what each actor has spent so far, in nanos. */
  begin(step: number, spentNanos: Float64Array): void | Promise<void>;
  /** 0 when the budget counts as used up. */
  rate(actor: number): number;
  /** False when it serves no more until the next step. */
  served(actor: number, offers: number): boolean;
}

const budgetNanos = (actor: Actor): number => actor.budgetMicros * 1000;
const isLeft = (actor: Actor, spentNanos: number): boolean => spentNanos + actor.priceNanos <= budgetNanos(actor);

/** Serves until the ledger says that the budget is used up. */
export function asap(actors: readonly Actor[]): Policy {
  let spent: Float64Array = new Float64Array(actors.length);
  return {
    name: "asap, ledger alone",
    begin: (_, spentNanos) => {
      spent = spentNanos;
    },
    rate: (i) => (isLeft(actors[i] as Actor, spent[i] as number) ? 1 : 0),
    served: () => true,
  };
}

/** Serves while less is spent than the same share of the budget as of the day's hours (EthicalAds paces so, by days). */
export function uniformThrottle(actors: readonly Actor[]): Policy {
  let share = 0;
  let spent: Float64Array = new Float64Array(actors.length);
  return {
    name: "uniform throttle",
    begin: (step, spentNanos) => {
      spent = spentNanos;
      share = (step + 1) / STEPS;
    },
    rate: (i) => {
      const [actor, now] = [actors[i] as Actor, spent[i] as number];
      return isLeft(actor, now) && now < budgetNanos(actor) * share ? 1 : 0;
    },
    served: () => true,
  };
}

/** Every minute 10 % up or down, as the ledger is behind or ahead of the forecast curve (Agarwal et al., KDD 2014). */
export function tenPercentAMinute(actors: readonly Actor[]): Policy {
  const rates = new Float64Array(actors.length).fill(0.1);
  const planned = actors.map(({ history }) => plannedShares(history));
  let spent: Float64Array = new Float64Array(actors.length);
  return {
    name: "10 % a minute (KDD 2014)",
    begin: (step, spentNanos) => {
      spent = spentNanos;
      if (step % (60_000 / STEP_MS) !== 0) return;
      for (const [i, actor] of actors.entries()) {
        const target = budgetNanos(actor) * (planned[i]?.(step / STEPS) ?? 0);
        rates[i] = Math.min(1, (rates[i] as number) * ((spent[i] as number) < target ? 1.1 : 0.9));
      }
    },
    rate: (i) => (isLeft(actors[i] as Actor, spent[i] as number) ? (rates[i] as number) : 0),
    served: () => true,
  };
}

function plannedShares(history: readonly number[]): (share: number) => number {
  const sum = history.reduce((total, count) => total + count, 0);
  return (share) => {
    const hours = share * 24;
    const whole = Math.floor(hours);
    const before = history.slice(0, whole).reduce((total, count) => total + count, 0);
    return (before + (history[whole] ?? 0) * (hours - whole)) / sum;
  };
}

/** The very code that serves, in one process whose exchange with Postgres happens in memory. */
export function ours(actors: readonly Actor[], pacing: "even" | "asap"): Policy {
  const campaigns = actors.map((actor) => campaignOf(actor, pacing));
  const byId = new Map(campaigns.map(({ id }, i) => [id, i]));
  const expected = new ExpectedSpend();
  const shared = new Map<string, SharedPending>();
  const pacer = new Pacer(
    {
      *campaigns() {
        yield* campaigns;
      },
      updateSpend: (campaign) => {
        campaigns[byId.get(campaign.id) as number] = campaign;
      },
    },
    expected,
  );
  pacer.putProfiles(profilesOf(actors));
  let stepMs = 0;
  return {
    name: pacing === "even" ? "svc, even" : "svc, asap",
    begin: async (step, spentNanos) => {
      const nowMs = step * STEP_MS;
      stepMs = nowMs;
      exchange({ expected, shared, nowMs });
      for (const [i, campaign] of campaigns.entries()) {
        const spent = BigInt(spentNanos[i] as number);
        const pendingNanos = expected.pendingNanos(campaign.id, nowMs);
        campaigns[i] = withSpend(campaign, { spentTodayNanos: spent, spentTotalNanos: spent, pendingNanos });
      }
      await pacer.pace(nowMs, nowMs);
    },
    rate: (i) => (campaigns[i]?.budgetSpent ? 0 : (campaigns[i]?.passRate ?? 0)),
    served: (i, offers) => {
      const { id, priceNanos, predictedRate } = actors[i] as Actor;
      expected.note(id, offers * priceNanos * predictedRate);
      const campaign = campaigns[i] as ServingCampaign;
      const { spentTodayNanos, spentTotalNanos } = campaign;
      const pendingNanos = expected.pendingNanos(id, stepMs);
      return !isBudgetSpent(campaign, { spentTodayNanos, spentTotalNanos, pendingNanos });
    },
  };
}

interface Exchange {
  expected: ExpectedSpend;
  shared: Map<string, SharedPending>;
  nowMs: number;
}

function exchange({ expected, shared, nowMs }: Exchange): void {
  for (const [id, nanos] of expected.take()) {
    const before = shared.get(id) ?? { nanos: 0, servedNanos: 0, atMs: nowMs };
    const faded = before.nanos * Math.exp((before.atMs - nowMs) / SETTLES_AFTER_MS);
    shared.set(id, { nanos: faded + nanos, servedNanos: before.servedNanos + nanos, atMs: nowMs });
  }
  expected.settle(shared);
}

const campaignOf = ({ id, model, bidMicros, budgetMicros }: Actor, pacing: "even" | "asap"): ServingCampaign => ({
  ...benchCampaign,
  ...{ id, model, pacing, bidMicros: BigInt(bidMicros), bidNumber: bidMicros, dailyBudgetMicros: BigInt(budgetMicros) },
  targeting: { ...benchCampaign.targeting, channels: [id] },
});

/** Each campaign has a channel of its own, so that each has its own curve. */
function profilesOf(actors: readonly Actor[]): TrafficProfiles {
  const profiles = new TrafficProfiles();
  for (const { id, history } of actors)
    for (const [hour, requests] of history.entries()) profiles.addChannel("ten", id, { hour, requests });
  return profiles;
}
