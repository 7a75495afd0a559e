import type { DatedClaim } from "../../server/ads/events/claims.sql";
import { type Budget, dayKey, withinBudgets } from "../../server/ads/events/within-budgets";
import { type Actor, chance, dayOf, delaySteps, happening, poisson, STEPS } from "./pacing-day";
import { asap, ours, type Policy, tenPercentAMinute, uniformThrottle } from "./pacing-policies";

const CAMPAIGNS = 1000;
const SEED = 20_261_121;
/** An offer counts for two hours. */
const COUNTED_STEPS = 240;
const CHUNKS = 8;
/** Times the budget: then chance and a wrong forecast leave enough. */
const ENOUGH = 1.1;
const DAY = "1970-01-01";

/** How evenly and how fully a thousand campaigns spend a day's budget, beside other ways to pace, on the same day. */
export async function run(print: (line: string) => void, count = CAMPAIGNS): Promise<void> {
  const actors = dayOf(count, SEED);
  print(`pacing: ${count.toLocaleString("en")} campaigns, one replayed day in ${STEPS.toLocaleString("en")} steps;`);
  print("two daily peaks, noise, bursts, late clicks; supply for 0.5 to 50 times the budget");
  print("");
  print("policy                   | spent % | error % | over_budget % | overspent | hours served | spent >= 95 %");
  for (const make of POLICIES) print(row(await replay(actors, make(actors))));
  print("");
  print(
    "spent: of what budget and supply allowed; error: root mean square distance of spend from the ideal curve, hour by",
  );
  print(
    "hour, in % of the budget; over_budget: of counted events; error, hours and the last column where supply suffices",
  );
}

const POLICIES: ((actors: readonly Actor[]) => Policy)[] = [
  (actors) => ours(actors, "even"),
  (actors) => ours(actors, "asap"),
  asap,
  uniformThrottle,
  tenPercentAMinute,
];

interface Replay {
  name: string;
  actors: readonly Actor[];
  spentNanos: Float64Array;
  /** By actor and hour: spent until its end. */
  byHour: Float64Array;
  servedHours: Uint8Array;
  billed: number;
  over: number;
}

async function replay(actors: readonly Actor[], policy: Policy): Promise<Replay> {
  const random = chance(SEED + 1);
  const day: Replay = {
    ...{ name: policy.name, actors, spentNanos: new Float64Array(actors.length), billed: 0, over: 0 },
    byHour: new Float64Array(actors.length * 24),
    servedHours: new Uint8Array(actors.length * 24),
  };
  const coming = new Int32Array(actors.length * COUNTED_STEPS);
  for (let step = 0; step < STEPS; step++) {
    bill(day, coming, step);
    await policy.begin(step, day.spentNanos);
    for (let i = 0; i < actors.length; i++) serve({ day, coming, policy, random }, i, step);
    const hour = Math.floor((step * 24) / STEPS);
    for (let i = 0; i < actors.length; i++) day.byHour[i * 24 + hour] = day.spentNanos[i] as number;
  }
  return day;
}

interface Serving {
  day: Replay;
  coming: Int32Array;
  policy: Policy;
  random: () => number;
}

function serve({ day, coming, policy, random }: Serving, i: number, step: number): void {
  const actor = day.actors[i] as Actor;
  const rate = policy.rate(i);
  const offers = rate > 0 ? poisson((actor.supply[step] as number) * rate, random) : 0;
  if (offers === 0) return;
  day.servedHours[i * 24 + Math.floor((step * 24) / STEPS)] = 1;
  const chunk = Math.ceil(offers / CHUNKS);
  for (let left = offers; left > 0; left -= chunk) {
    const served = Math.min(left, chunk);
    const events = happening(served, actor.settleRate, random);
    for (let event = 0; event < events; event++) {
      const delay = 1 + delaySteps(actor.model, random);
      if (delay < COUNTED_STEPS) {
        const at = i * COUNTED_STEPS + ((step + delay) % COUNTED_STEPS);
        coming[at] = (coming[at] as number) + 1;
      }
    }
    if (!policy.served(i, served)) return;
  }
}

/** Through the rule that decides on real claims. */
function bill(day: Replay, coming: Int32Array, step: number): void {
  const claims: (DatedClaim & { actor: number })[] = [];
  const budgets = new Map<string, Budget>();
  const today = new Map<string, bigint>();
  for (const [i, { id: campaignId, priceNanos, budgetMicros }] of day.actors.entries()) {
    const at = i * COUNTED_STEPS + (step % COUNTED_STEPS);
    if (coming[at] === 0) continue;
    budgets.set(campaignId, { timezone: "UTC", dailyMicros: BigInt(budgetMicros), totalMicros: null });
    today.set(dayKey({ campaignId, day: DAY }), BigInt(day.spentNanos[i] as number));
    const claim = { ...claimOf(campaignId, priceNanos), actor: i };
    for (let left = coming[at] as number; left > 0; left--) claims.push(claim);
    coming[at] = 0;
  }
  const spend = { today, total: new Map() };
  for (const [k, { chargeNanos }] of withinBudgets(claims, budgets, { spend, balances: new Map() }).entries()) {
    const i = claims[k]?.actor as number;
    day.spentNanos[i] = (day.spentNanos[i] as number) + chargeNanos;
    if (chargeNanos > 0) day.billed++;
    else day.over++;
  }
}

const claimOf = (campaignId: string, chargeNanos: number): DatedClaim => ({
  ...{ offerId: "", at: 0, clickId: null, campaignId, chargeNanos, payerId: null, day: DAY, row: {} },
});

/** What a campaign would spend, were its budget endless. */
function suppliedNanos({ supply, settleRate, priceNanos }: Actor): number {
  let requests = 0;
  for (const expected of supply) requests += expected;
  return requests * settleRate * priceNanos;
}

function row({ name, actors, spentNanos, byHour, servedHours, billed, over }: Replay): string {
  const supplied = actors.map(suppliedNanos);
  const share = actors.reduce((sum, { budgetMicros }, i) => {
    return sum + Math.min(1, (spentNanos[i] as number) / Math.min(budgetMicros * 1000, supplied[i] as number));
  }, 0);
  const overspent = actors.filter(({ budgetMicros }, i) => (spentNanos[i] as number) > budgetMicros * 1000).length;
  const rich = actors.flatMap((actor, i) => ((supplied[i] as number) >= actor.budgetMicros * 1000 * ENOUGH ? [i] : []));
  const errors = rich.map((i) => errorOf(actors[i] as Actor, byHour.subarray(i * 24, i * 24 + 24)));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const hours = mean(rich.map((i) => servedHours.subarray(i * 24, i * 24 + 24).reduce((sum, one) => sum + one, 0)));
  const full = rich.filter((i) => (spentNanos[i] as number) >= 950 * (actors[i] as Actor).budgetMicros).length;
  return [
    name.padEnd(24),
    ((100 * share) / actors.length).toFixed(2).padStart(7),
    (100 * mean(errors)).toFixed(2).padStart(7),
    ((100 * over) / (billed + over)).toFixed(3).padStart(13),
    String(overspent).padStart(9),
    `${hours.toFixed(1)} of 24`.padStart(12),
    `${((100 * full) / rich.length).toFixed(1)} %`.padStart(13),
  ].join(" | ");
}

function errorOf({ ideal, budgetMicros }: Actor, spentByHour: Float64Array): number {
  let squares = 0;
  for (const [hour, spent] of spentByHour.entries()) {
    squares += (spent / (budgetMicros * 1000) - (ideal[hour + 1] as number)) ** 2;
  }
  return Math.sqrt(squares / 24);
}
