/** A budget and the time it has to last. */
export interface Plan {
  /** What is left of it, less nothing that is only expected. */
  leftNanos: number;
  /** Traffic until its end, in days' worth of the campaign's profile. */
  days: number;
  /** What should be left by now. */
  plannedNanos: number;
}

/** What is remembered of a campaign between steps; sums fade with the traffic that passes. */
export interface Pace {
  passRate: number;
  /** What the served offers were expected to cost, and the traffic, in days' worth, that was let pass for it. */
  servedNanos: number;
  passedDays: number;
  /** What offers that had their time were expected to cost, and what was charged. */
  expectedNanos: number;
  chargedNanos: number;
}

/** What happened since the last step, and what lies ahead. */
export interface PaceStep {
  /** Of the traffic that passed since, in days' worth. */
  days: number;
  servedNanos: number;
  expectedNanos: number;
  chargedNanos: number;
  /** What offers that were served and have not settled are expected to cost. */
  pendingNanos: number;
  /** Of one click or impression, at the bid. */
  eventNanos: number;
  /** All of them hold; none means that nothing asks for pacing. */
  plans: readonly Plan[];
}

/** Serves everything until there is something to learn from. */
export const UNPACED: Pace = { passRate: 1, servedNanos: 0, passedDays: 0, expectedNanos: 0, chargedNanos: 0 };

/** So low that the largest supply cannot outrun the smallest budget, and 17 doublings from 1. */
export const PASS_RATE_MIN = 1e-5;
/** A step changes the rate by a factor of 2 at most. */
const STEP_FACTOR = 2;
/** Each step goes half the way, in proportions: what one step sees is partly chance. */
const DAMPING = 0.5;
/** Supply is what the last hour's worth of traffic showed, the prediction's error what the last four hours' worth did. */
const SUPPLY_HALF_LIFE_DAYS = 1 / 24;
const ERROR_HALF_LIFE_DAYS = 4 / 24;
/** What should be spent in so much traffic, about three minutes, says little about the supply. */
const SUPPLY_PRIOR_DAYS = 0.002;
/** The prediction of what offers cost weighs as much as this many events. */
const ERROR_PRIOR_EVENTS = 10;
const ERROR_MAX = 8;
/** A campaign that is behind its plan by as much as this traffic should have spent goes at double pace, one as far ahead waits. */
const CATCH_UP_DAYS = 0.5 / 24;
/** So close to its end a budget may be spent at once: about five minutes. */
const LAST_DAYS = 5 / 1440;

/**
 * The share of requests to take part in until the next step: what is left of each budget, less what is already expected,
 * as a share of what the traffic until its end would cost at full rate, more when behind the plan and less when ahead.
 * Spending so follows the traffic's own curve; the pass-through rate and its bounded steps are LinkedIn's (Agarwal et al., Budget Pacing for Targeted Online
 * Advertisements at LinkedIn, KDD 2014), whose fixed steps of 10 % a proportional controller replaces here.
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
  // The first step knows no rate to hold on to: a process that starts must not halve its way down from everything.
  const isFirst = before.passedDays === 0;
  return { passRate: isFirst ? bounded(wanted) : damped(before.passRate, wanted), ...seen };
}

type Seen = Omit<Pace, "passRate">;

/** How many times as much as predicted offers turn out to cost. */
function errorOf({ chargedNanos, expectedNanos }: Seen, eventNanos: number): number {
  const prior = ERROR_PRIOR_EVENTS * eventNanos;
  if (prior <= 0) return 1;
  return Math.min(ERROR_MAX, Math.max(1 / ERROR_MAX, (chargedNanos + prior) / (expectedNanos + prior)));
}

/** Above 1 when even everything is not enough. */
function rateFor({ leftNanos, days, plannedNanos }: Plan, seen: Seen & { error: number }, step: PaceStep): number {
  const left = leftNanos - step.pendingNanos * seen.error;
  if (left < 1) return 0;
  if (days <= LAST_DAYS) return Number.POSITIVE_INFINITY;
  const perDay = left / days;
  // The prior is a supply that just suffices; what was seen outweighs it by the money that it was worth.
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
