/** A budget and the time for which it must last. */
export interface Plan {
  /** What is left of it; expected spend is not subtracted. */
  leftNanos: number;
  /** Traffic until its end, in days of the campaign's profile. */
  days: number;
  /** What should be left by now. */
  plannedNanos: number;
}

/** The state of a campaign between steps; sums decay with the traffic that passes. */
export interface Pace {
  passRate: number;
  /** The expected cost of the served offers, and the traffic, in days, in which they were served. */
  servedNanos: number;
  passedDays: number;
  /** The expected and the actual cost of offers that have settled. */
  expectedNanos: number;
  chargedNanos: number;
}

/** What happened since the last step, and the remaining budgets. */
export interface PaceStep {
  /** Traffic since the last step, in days. */
  days: number;
  servedNanos: number;
  expectedNanos: number;
  chargedNanos: number;
  /** The expected cost of served offers that have not settled. */
  pendingNanos: number;
  /** The cost of one click or impression, at the bid. */
  eventNanos: number;
  /** All of them apply; an empty list means that no pacing is needed. */
  plans: readonly Plan[];
}

/** Serves everything until there is data. */
export const UNPACED: Pace = { passRate: 1, servedNanos: 0, passedDays: 0, expectedNanos: 0, chargedNanos: 0 };

/** So low that the largest supply cannot exceed the smallest budget, and 17 doublings from 1. */
export const PASS_RATE_MIN = 1e-5;
/** A step changes the rate by at most a factor of 2. */
const STEP_FACTOR = 2;
/** Each step goes half of the way (in proportion), because what one step measures is partly chance. */
const DAMPING = 0.5;
/** Supply is measured over the last hour's worth of traffic, the prediction error over the last four hours' worth. */
const SUPPLY_HALF_LIFE_DAYS = 1 / 24;
const ERROR_HALF_LIFE_DAYS = 4 / 24;
/** The planned spend of less traffic than this (about three minutes) is too little data about the supply. */
const SUPPLY_PRIOR_DAYS = 0.002;
/** The prediction of offers' cost has the weight of this many events. */
const ERROR_PRIOR_EVENTS = 10;
const ERROR_MAX = 8;
/** A campaign that is behind its plan by this much traffic runs at double pace; one that is as far ahead pauses. */
const CATCH_UP_DAYS = 0.5 / 24;
/** In this last part of a budget's time (about five minutes), the rest may be spent immediately. */
const LAST_DAYS = 5 / 1440;

/**
 * The share of requests to participate in until the next step: the remaining budget minus expected spend, divided by
 * the full-rate cost of the traffic until its end; higher when behind the plan and lower when ahead. Spend thus follows
 * the traffic curve. The pass-through rate with bounded steps follows LinkedIn (Agarwal et al., Budget Pacing for
 * Targeted Online Advertisements at LinkedIn, KDD 2014), with a proportional controller instead of fixed steps of 10 %.
 */
export function nextPace(before: Pace, step: PaceStep): Pace {
  const supplyKept = 2 ** (-step.days / SUPPLY_HALF_LIFE_DAYS);
  const errorKept = 2 ** (-step.days / ERROR_HALF_LIFE_DAYS);
  const seen = {
    servedNanos: before.servedNanos * supplyKept + Math.max(0, step.servedNanos),
    passedDays: before.passedDays * supplyKept + step.days * before.passRate,
    expectedNanos: Math.max(0, before.expectedNanos * errorKept + step.expectedNanos),
    chargedNanos: Math.max(0, before.chargedNanos * errorKept + step.chargedNanos),
  };
  if (step.plans.length === 0) return { passRate: 1, ...seen };
  const error = errorOf(seen, step.eventNanos);
  const wanted = Math.min(...step.plans.map((plan) => rateFor(plan, { ...seen, error }, step)));
  // The first step has no previous rate: a process that starts must not halve its way down from 1.
  const isFirst = before.passedDays === 0;
  return { passRate: isFirst ? bounded(wanted) : damped(before.passRate, wanted), ...seen };
}

type PaceInput = Omit<Pace, "passRate">;

/** The ratio of actual to predicted cost of offers. */
function errorOf({ chargedNanos, expectedNanos }: PaceInput, eventNanos: number): number {
  const prior = ERROR_PRIOR_EVENTS * eventNanos;
  if (prior <= 0) return 1;
  return Math.min(ERROR_MAX, Math.max(1 / ERROR_MAX, (chargedNanos + prior) / (expectedNanos + prior)));
}

/** Above 1 if even the full rate is not enough. */
function rateFor({ leftNanos, days, plannedNanos }: Plan, seen: PaceInput & { error: number }, step: PaceStep): number {
  const left = leftNanos - step.pendingNanos * seen.error;
  if (left < 1) return 0;
  if (days <= LAST_DAYS) return Number.POSITIVE_INFINITY;
  const perDay = left / days;
  // The prior is a supply that just suffices; measured supply gains weight with its value.
  const prior = perDay * SUPPLY_PRIOR_DAYS;
  const seenNanos = seen.passedDays > 0 ? seen.servedNanos * seen.error : 0;
  const seenPerDay = seen.passedDays > 0 ? seenNanos / seen.passedDays : 0;
  const supplyPerDay = (seenNanos * seenPerDay + prior * perDay) / (seenNanos + prior);
  const behindDays = plannedNanos > 0 ? (left / plannedNanos - 1) * days : 0;
  return (perDay / supplyPerDay) * Math.min(2, Math.max(0, 1 + behindDays / CATCH_UP_DAYS));
}

function damped(rate: number, wanted: number): number {
  const factor = wanted <= 0 ? 0 : (wanted / rate) ** DAMPING;
  return bounded(rate * Math.min(STEP_FACTOR, Math.max(1 / STEP_FACTOR, factor)));
}

const bounded = (rate: number): number => Math.min(1, Math.max(PASS_RATE_MIN, rate));
