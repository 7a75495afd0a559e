import type { Pool } from "pg";
import type { MinuteTasks, Tasks } from "../engines/jobs/start-jobs";
import type { PrismaClient } from "../engines/postgres/generated/client";
import { dropOldPartitions, ensurePartitions } from "../engines/postgres/partitions";
import type { Clock } from "../kernel/clock";
import { forgetBudgetCrossings, recordBudgetCrossings } from "./budgets/record-budget-crossings";
import { attributeWaiting } from "./conversions/attribute-waiting";
import { WRITE_SIMULATED_TRAFFIC } from "./demo/start-simulated-traffic";
import { writeSimulatedTraffic } from "./demo/write-simulated-traffic";
import { SIGNAL_LIFE_MS } from "./limits";
import { deleteSignalsBefore } from "./signals/signals.sql";

const KEEP_PARTITIONS = "keep_partitions";
const FORGET_SIGNALS = "forget_signals";
const ATTRIBUTE_WAITING = "attribute_waiting";
const RECORD_BUDGET_CROSSINGS = "record_budget_crossings";
const FORGET_BUDGET_CROSSINGS = "forget_budget_crossings";

/** In graphile-worker's crontab format. */
export const ADS_CRONTAB = [
  `7 * * * * ${KEEP_PARTITIONS}`,
  `27 * * * * ${FORGET_SIGNALS}`,
  `*/5 * * * * ${ATTRIBUTE_WAITING}`,
  `37 * * * * ${FORGET_BUDGET_CROSSINGS}`,
].join("\n");

export const ADS_EVERY_MINUTE: MinuteTasks = {
  [RECORD_BUDGET_CROSSINGS]: `SELECT FROM campaigns WHERE archived_at IS NULL
    AND (daily_budget_micros IS NOT NULL OR total_budget_micros IS NOT NULL)`,
};

interface AdsTasksCtx {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  currency: string;
  publisherShare: number;
}

/**
 * Scheduled maintenance: manages daily partitions, deletes expired signals, attributes orders to late clicks and
 * records which budgets campaigns have used up. Once: writes the demo's simulated traffic.
 */
export const adsTasks = ({ db, sql, clock, currency, publisherShare }: AdsTasksCtx): Tasks => ({
  [KEEP_PARTITIONS]: async () => {
    await ensurePartitions(sql, clock.now());
    await dropOldPartitions(sql, clock.now());
  },
  [ATTRIBUTE_WAITING]: async () => {
    await attributeWaiting(sql, { now: clock.now(), currency });
  },
  [RECORD_BUDGET_CROSSINGS]: () => recordBudgetCrossings({ db, sql, clock, currency }),
  [FORGET_BUDGET_CROSSINGS]: () => forgetBudgetCrossings({ db, clock }),
  [WRITE_SIMULATED_TRAFFIC]: () => writeSimulatedTraffic({ sql, clock, currency, publisherShare }),
  [FORGET_SIGNALS]: async () => {
    const before = new Date(clock.now().getTime() - SIGNAL_LIFE_MS);
    await deleteSignalsBefore(sql, before);
  },
});
