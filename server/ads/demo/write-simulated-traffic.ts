import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../engines/postgres/in-transaction";
import { makePartitions } from "../../engines/postgres/partitions";
import type { Clock } from "../../kernel/clock";
import { recordConversion } from "../conversions/record-conversion";
import { claimEvents, type DatedClaim } from "../events/claims.sql";
import { insertOffers } from "../offer-records/offers.sql";
import {
  type SimulatedDate,
  type SimulatedDay,
  type SimulatedOrder,
  type Simulation,
  simulateDay,
} from "./simulate-day";
import {
  lockWrittenTo,
  queueFacts,
  setFinished,
  setWrittenTo,
  simulatedItems,
  unfinishedTraffic,
} from "./simulated-traffic.sql";
import { daysOf } from "./simulated-visits";

const DAY_MS = 86_400_000;
const DAYS_TOGETHER = 5;

export interface WriteSimulatedTraffic {
  sql: Pool;
  clock: Clock;
  currency: string;
  publisherShare: number;
}

/**
 * Writes the simulated traffic that is not written yet, the way real traffic is: offers, claims with their ledger,
 * spend, balances and outbox, and orders. Five days are one transaction with the mark that they are written, and an order
 * counts once, so after a crash at any moment nothing is missing or written twice.
 */
export async function writeSimulatedTraffic(ctx: WriteSimulatedTraffic): Promise<void> {
  for (const traffic of await unfinishedTraffic(ctx.sql)) {
    const items = await simulatedItems(ctx.sql, traffic);
    const toMs = traffic.toAt.getTime();
    const { publisherShare } = ctx;
    const simulation = { tenantId: traffic.tenantId, items, toMs, publisherShare };
    const days = daysOf({ fromMs: traffic.fromAt.getTime(), toMs });
    const orders: SimulatedOrder[] = [];
    for (let first = 0; first < days.length; first += DAYS_TOGETHER) {
      orders.push(...(await writeDays(ctx.sql, simulation, days.slice(first, first + DAYS_TOGETHER))));
    }
    await writeOrders(ctx, orders);
    await setFinished(ctx.sql, traffic.tenantId, ctx.clock.now());
  }
}

/** Writes days that follow one another, unless they are written, and returns the orders that began on them. */
async function writeDays(
  sql: Pool,
  simulation: Simulation,
  dates: readonly SimulatedDate[],
): Promise<SimulatedOrder[]> {
  const { tenantId, toMs } = simulation;
  const days = dates.map((date) => simulateDay(simulation, date));
  const [firstMs, lastMs] = [dates[0]?.dayMs ?? 0, dates.at(-1)?.dayMs ?? 0];
  await inTransaction(sql, async (client) => {
    if ((await lockWrittenTo(client, tenantId)).getTime() > firstMs) return;
    await makePartitions(client, dates.map(partitionOf));
    for (const day of days) await insertDay(client, day);
    // Together, because few large inserts cost ClickHouse far less than many small ones.
    await queueFacts(
      client,
      days.flatMap(({ facts }) => facts),
    );
    await setWrittenTo(client, tenantId, new Date(Math.min(toMs, lastMs + DAY_MS)));
  });
  return days.flatMap(({ orders }) => orders);
}

const partitionOf = ({ dayMs }: SimulatedDate): string =>
  `offers_${new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;

async function insertDay(client: PoolClient, day: SimulatedDay): Promise<void> {
  await insertOffers(client, day.offers);
  await claim(client, "impressions", day.impressions);
  await claim(client, "clicks", day.clicks);
}

/** Simulated campaigns have no budgets, and the partner's balance covers all of its charges. */
async function claim(client: PoolClient, table: "impressions" | "clicks", claims: DatedClaim[]): Promise<void> {
  if (claims.length > 0) await claimEvents(client, { table, budgetsHeld: true }, claims);
}

async function writeOrders({ sql, currency }: WriteSimulatedTraffic, orders: readonly SimulatedOrder[]): Promise<void> {
  for (const order of orders) {
    const now = order.occurredAt;
    await recordConversion(sql, { ...order, source: "server", mode: "live", userKey: "", currency, now });
  }
}
