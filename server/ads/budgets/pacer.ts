import { setImmediate as nextTurn } from "node:timers/promises";
import { NANOS_PER_MICRO, nanosPerEvent } from "../../kernel/money";
import type { ServingState } from "../matching/serving-state";
import type { ServingCampaign } from "../serving/serving";
import type { ExpectedSpend } from "./expected-spend";
import { LocalDays } from "./local-days";
import { nextPace, type Pace, type Plan, UNPACED } from "./next-pace";
import { TrafficProfiles } from "./traffic-profiles";

/** Spend that was read longer ago is too old to throttle a campaign. */
const STALE_AFTER_MS = 60_000;

/** Yields to the event loop after this long. */
const CAMPAIGNS_PER_TURN = 500;

/** A plan and its starting point. */
interface Planned extends Plan {
  budgetMicros: bigint;
  endMs: number;
  fromNanos: number;
  fromDays: number;
}

interface Paced {
  pace: Pace;
  plans: readonly Planned[];
  atMs: number;
  servedNanos: number;
  pendingNanos: number;
  spentNanos: bigint;
}

/**
 * Keeps the pass rates of campaigns with even pacing. Each process decides on its own, from spend that all processes
 * share.
 */
export class Pacer {
  readonly #state: Pick<ServingState, "campaigns" | "updateSpend">;
  readonly #expected: ExpectedSpend;
  readonly #days = new LocalDays();
  #paced: ReadonlyMap<string, Paced> = new Map();
  #profiles = new TrafficProfiles();

  constructor(state: Pick<ServingState, "campaigns" | "updateSpend">, expected: ExpectedSpend) {
    this.#state = state;
    this.#expected = expected;
  }

  putProfiles(profiles: TrafficProfiles): void {
    this.#profiles = profiles;
  }

  /** Runs one step for every campaign; `spendReadAtMs` is when the state's spend was last read. */
  async pace(nowMs: number, spendReadAtMs: number): Promise<void> {
    const isStale = nowMs - spendReadAtMs > STALE_AFTER_MS;
    const paced = new Map<string, Paced>();
    let count = 0;
    for (const campaign of this.#state.campaigns()) {
      const step = isStale || !isPaced(campaign, nowMs) ? undefined : this.#step(campaign, nowMs);
      const passRate = step?.pace.passRate ?? 1;
      if (step) paced.set(campaign.id, step);
      if (passRate !== campaign.passRate) this.#state.updateSpend({ ...campaign, passRate });
      // Read the campaigns only now: a list from before the pause may be outdated.
      if (++count % CAMPAIGNS_PER_TURN === 0) await nextTurn();
    }
    this.#paced = paced;
  }

  #step(campaign: ServingCampaign, nowMs: number): Paced {
    const { id } = campaign;
    const before = this.#paced.get(id);
    const spentNanos = campaign.spentTotalNanos;
    const servedNanos = this.#expected.servedNanos(id);
    const pendingNanos = this.#expected.pendingNanos(id, nowMs);
    const profile = this.#profiles.of(campaign);
    const ahead = { nowMs, dayEndMs: this.#days.of(campaign.timezone, nowMs).toMs, profile };
    const plans = budgetsOf(campaign, ahead).map((budget) => planOf(budget, before?.plans ?? []));
    const seen = { plans, atMs: nowMs, servedNanos, pendingNanos, spentNanos };
    if (!before) return { pace: { ...UNPACED, passRate: campaign.passRate }, ...seen };
    // Expected spend that Postgres lost in a crash was not served again.
    const servedSince = Math.max(0, servedNanos - before.servedNanos);
    const pace = nextPace(before.pace, {
      days: profile.daysBetween(before.atMs, nowMs),
      servedNanos: servedSince,
      expectedNanos: servedSince - (pendingNanos - before.pendingNanos),
      chargedNanos: Number(spentNanos - before.spentNanos),
      pendingNanos,
      eventNanos: Number(nanosPerEvent(campaign.model, campaign.bidMicros)),
      plans,
    });
    return { pace, ...seen };
  }
}

/** A campaign that does not run cannot fall behind. */
const isPaced = (campaign: ServingCampaign, nowMs: number): boolean =>
  campaign.pacing === "even" &&
  campaign.status === "active" &&
  nowMs >= (campaign.startsAtMs ?? 0) &&
  (campaign.dailyBudgetMicros !== undefined ||
    (campaign.totalBudgetMicros !== undefined && campaign.endsAtMs !== undefined));

interface Ahead {
  nowMs: number;
  dayEndMs: number;
  profile: { daysBetween(fromMs: number, toMs: number): number };
}

/**
 * A daily budget lasts until the day or the campaign ends, a total budget until the campaign ends, if it has an end.
 */
function budgetsOf(campaign: ServingCampaign, { nowMs, dayEndMs, profile }: Ahead): Budget[] {
  const { dailyBudgetMicros, totalBudgetMicros, spentTodayNanos, spentTotalNanos, endsAtMs } = campaign;
  const budget = (budgetMicros: bigint, spentNanos: bigint, endMs: number): Budget => ({
    budgetMicros,
    endMs,
    leftNanos: Number(budgetMicros * NANOS_PER_MICRO - spentNanos),
    days: profile.daysBetween(nowMs, endMs),
  });
  const budgets: Budget[] = [];
  if (dailyBudgetMicros !== undefined) {
    budgets.push(budget(dailyBudgetMicros, spentTodayNanos, Math.min(dayEndMs, endsAtMs ?? dayEndMs)));
  }
  if (totalBudgetMicros !== undefined && endsAtMs !== undefined) {
    budgets.push(budget(totalBudgetMicros, spentTotalNanos, endsAtMs));
  }
  return budgets;
}

interface Budget extends Omit<Plan, "plannedNanos"> {
  /** A changed amount or end makes a new budget with its own plan. */
  budgetMicros: bigint;
  endMs: number;
}

/** From what was left when the plan was made down to zero, evenly over the traffic until its end. */
function planOf(budget: Budget, plans: readonly Planned[]): Planned {
  const { budgetMicros, endMs, leftNanos, days } = budget;
  // More is left than before because the spend of a new day was read only now, so the plan begins here.
  const isSame = (plan: Planned) =>
    plan.budgetMicros === budgetMicros && plan.endMs === endMs && leftNanos <= plan.leftNanos;
  const before = plans.find(isSame);
  const [fromNanos, fromDays] = before ? [before.fromNanos, before.fromDays] : [leftNanos, days];
  const plannedNanos = fromDays > 0 ? (fromNanos * days) / fromDays : 0;
  return { budgetMicros, endMs, leftNanos, days, plannedNanos, fromNanos, fromDays };
}
