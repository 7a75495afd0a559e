import type { Pool } from "pg";
import type { Prisma, PrismaClient } from "../../engines/postgres/generated/client";
import { recordEvent } from "../../identity/events/record-event";
import type { Clock } from "../../kernel/clock";
import { nanosToMicros } from "../../kernel/money";
import { budgetExhausted, budgetThresholdCrossed, THRESHOLD_PERCENT } from "./budget.events";
import { type BudgetCrossing, crossingsOf } from "./budget-crossings";
import { readSpendOfDays, unrecorded } from "./budget-crossings.sql";
import { LocalDays } from "./local-days";

const BATCH = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than a day counts as yesterday in any time zone. */
const DAYS_KEPT_MS = 4 * DAY_MS;

const COLUMNS = {
  id: true,
  tenantId: true,
  advertiserId: true,
  mode: true,
  name: true,
  model: true,
  bidMicros: true,
  dailyBudgetMicros: true,
  totalBudgetMicros: true,
  timezone: true,
  updatedAt: true,
} as const satisfies Prisma.CampaignSelect;
type CampaignRow = Prisma.CampaignGetPayload<{ select: typeof COLUMNS }>;

export interface CrossingsCtx {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  currency: string;
}

/**
 * Compares what campaigns have spent with their budgets and records an event for each threshold that was crossed, once
 * for each budget and day, however often and in however many processes it runs. Serving and charging are not involved.
 */
export async function recordBudgetCrossings(ctx: CrossingsCtx): Promise<void> {
  for (let after: string | undefined, isMore = true; isMore; ) {
    const campaigns: CampaignRow[] = await ctx.db.campaign.findMany({
      where: {
        archivedAt: null,
        OR: [{ dailyBudgetMicros: { not: null } }, { totalBudgetMicros: { not: null } }],
        ...(after !== undefined && { id: { gt: after } }),
      },
      select: COLUMNS,
      orderBy: { id: "asc" },
      take: BATCH,
    });
    const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    for (const crossing of await unrecorded(ctx.sql, await findCrossings(ctx, campaigns))) {
      const campaign = byId.get(crossing.campaignId);
      if (campaign) await recordCrossing(ctx, campaign, crossing);
    }
    after = campaigns.at(-1)?.id;
    isMore = campaigns.length === BATCH;
  }
}

/** Deletes what was recorded for days that are long over, in batches; what concerns total budgets remains. */
export async function forgetBudgetCrossings({ db, clock }: Pick<CrossingsCtx, "db" | "clock">): Promise<void> {
  const crossedAt = { lt: new Date(clock.now().getTime() - DAYS_KEPT_MS) };
  const where = { crossedAt, period: { not: "total" } };
  while ((await db.budgetCrossing.deleteMany({ where, limit: BATCH })).count === BATCH);
}

async function findCrossings(
  { sql, clock }: CrossingsCtx,
  campaigns: readonly CampaignRow[],
): Promise<BudgetCrossing[]> {
  const now = clock.now().getTime();
  // One cache for each day: a cache holds one day of a time zone.
  const [days, daysBefore] = [new LocalDays(), new LocalDays()];
  const dated = campaigns.map((campaign) => {
    const today = days.of(campaign.timezone, now);
    return { campaign, today, yesterday: daysBefore.of(campaign.timezone, today.fromMs - 1) };
  });
  const requested = dated.map(({ campaign, today, yesterday }) => ({
    id: campaign.id,
    today: today.day,
    yesterday: yesterday.day,
  }));
  const spent = new Map((await readSpendOfDays(sql, requested)).map((row) => [row.id, row]));
  return dated.flatMap(({ campaign, ...at }) => {
    const row = spent.get(campaign.id);
    if (!row) return [];
    const spend = { today: BigInt(row.today), yesterday: BigInt(row.yesterday), total: BigInt(row.total) };
    return crossingsOf(campaign, at, spend);
  });
}

function recordCrossing({ db, clock, currency }: CrossingsCtx, campaign: CampaignRow, crossing: BudgetCrossing) {
  const at = clock.now();
  const { spentNanos, ...key } = crossing;
  return db.$transaction(async (tx) => {
    const { count } = await tx.budgetCrossing.createMany({ data: [{ ...key, crossedAt: at }], skipDuplicates: true });
    if (count === 0) return;
    const origin = { tenantId: campaign.tenantId, mode: campaign.mode, at };
    const data = {
      campaign_id: campaign.id,
      campaign_name: campaign.name,
      advertiser_id: campaign.advertiserId,
      budget: crossing.period === "total" ? ("total" as const) : ("daily" as const),
      day: crossing.period === "total" ? null : crossing.period,
      timezone: campaign.timezone,
      currency,
      budget_micros: Number(crossing.budgetMicros),
      spent_micros: Number(nanosToMicros(spentNanos)),
    };
    if (crossing.level === "exhausted") await recordEvent(tx, origin, { kind: budgetExhausted, data });
    else {
      const threshold_percent = THRESHOLD_PERCENT;
      await recordEvent(tx, origin, { kind: budgetThresholdCrossed, data: { ...data, threshold_percent } });
    }
  });
}
