import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { Clock } from "../../kernel/clock";
import { type Repeating, repeat } from "../../kernel/repeat";
import type { ServingState } from "../matching/serving-state";
import type { OfferRecord } from "../offer-records/offer-record";
import { ChargeRates } from "./charge-rates";
import { ExpectedSpend } from "./expected-spend";
import { chargeRateReader } from "./load-charge-rates";
import { loadTrafficProfiles } from "./load-traffic-profiles";
import { Pacer } from "./pacer";
import { hasBudget, refreshSpend, withSpend } from "./spend";

const SPEND_EVERY_MS = 1000;
const PACE_EVERY_MS = 2000;
const RATES_EVERY_MS = 60_000;
const PROFILES_EVERY_MS = 10 * 60_000;
/** After the last offer; most of its events come within this time. */
const SERVING_MS = 60_000;
/** Makes due what campaigns need before they serve: their spend, and the balances that pay for them. */
export const SPENDING_TOPIC = "spending";

/** The fields of an offer that determine its cost. */
export type ServedOffer = Pick<OfferRecord, "campaignId" | "model" | "priceNanos">;

export interface Pacing {
  /** Call this before an offer is returned: its expected cost counts for the next decision. */
  recordServed(offers: readonly ServedOffer[]): void;
  /** Whether this process has returned an offer within the last minute. */
  isServing(): boolean;
  stop(): Promise<void>;
}

export interface PacingOptions {
  sql: Pool;
  /** Source of rates and traffic profiles; without it, the usual rates and an even profile apply. */
  clickhouse?: ClickHouseClient | undefined;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add" | "wake">;
  log: Pick<Logger, "info" | "warn">;
  state: ServingState;
}

/**
 * Keeps campaigns within their budgets and at their pace until `stop()`: while this process serves, it reads spend every
 * second and runs a pacing step every two seconds; otherwise it does both when campaigns change, and every 30 s. Rejects
 * if the first read fails. If later reads fail, budgets remain safe because claims decide on charges, and after a minute
 * nothing is throttled.
 */
export async function startPacing({ sql, clickhouse, clock, alarms, log, state }: PacingOptions): Promise<Pacing> {
  const expected = new ExpectedSpend();
  const pacer = new Pacer(state, expected);
  let rates = new ChargeRates();
  let readAtMs = 0;
  const readSpending = async () => {
    const now = clock.now();
    await refreshSpend(sql, { state, expected }, now);
    readAtMs = now.getTime();
  };
  await readSpending();
  await pacer.pace(readAtMs, readAtMs);
  let servedAt = Number.NEGATIVE_INFINITY;
  const isServing = () => performance.now() - servedAt < SERVING_MS;
  const whileServing = (ms: number) => () => (isServing() ? ms : undefined);
  const rounds: Pick<Repeating, "stop">[] = [
    alarms.add({
      topic: SPENDING_TOPIC,
      purpose: "read campaign spending",
      everyMs: whileServing(SPEND_EVERY_MS),
      run: readSpending,
    }),
    alarms.add({
      topic: "pacing",
      purpose: "pace campaigns",
      everyMs: whileServing(PACE_EVERY_MS),
      wokenBy: [SPENDING_TOPIC],
      run: () => pacer.pace(clock.now().getTime(), readAtMs),
    }),
  ];
  const serves = () => {
    const wasServing = isServing();
    servedAt = performance.now();
    if (!wasServing) alarms.wake(SPENDING_TOPIC);
  };
  if (clickhouse) {
    const readChargeRates = chargeRateReader(clickhouse);
    const readRates = async () => {
      rates = await readChargeRates(clock.now());
    };
    const readProfiles = async () => pacer.putProfiles(await loadTrafficProfiles(clickhouse, clock.now()));
    rounds.push(
      repeat({ everyMs: RATES_EVERY_MS, log, purpose: "read settle rates" }, readRates, { atOnce: true }),
      repeat({ everyMs: PROFILES_EVERY_MS, log, purpose: "read traffic profiles" }, readProfiles, { atOnce: true }),
    );
  }
  return {
    isServing,
    recordServed: (offers) => {
      if (offers.length > 0) serves();
      for (const offer of offers) recordServed({ state, expected, rates, nowMs: clock.now().getTime() }, offer);
    },
    stop: async () => {
      await Promise.all(rounds.map((round) => round.stop()));
    },
  };
}

interface Scene {
  state: ServingState;
  expected: ExpectedSpend;
  rates: ChargeRates;
  nowMs: number;
}

function recordServed({ state, expected, rates, nowMs }: Scene, { campaignId, model, priceNanos }: ServedOffer): void {
  const campaign = state.campaign(campaignId);
  if (!campaign || priceNanos === 0 || !hasBudget(campaign)) return;
  expected.note(campaignId, priceNanos * rates.of(campaignId, model));
  const pendingNanos = expected.pendingNanos(campaignId, nowMs);
  const { spentTodayNanos, spentTotalNanos } = campaign;
  state.updateSpend(withSpend(campaign, { spentTodayNanos, spentTotalNanos, pendingNanos }));
}
