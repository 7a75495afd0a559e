import type { Pool } from "pg";
import type { BudgetCrossing } from "./budget-crossings";
import { spentEver, spentOn } from "./spent";

export interface SpendOfDays {
  id: string;
  /** In nanos. */
  today: string;
  yesterday: string;
  total: string;
}

/** What campaigns spent on two days of each and in total; three index lookups for each. */
export async function readSpendOfDays(
  sql: Pick<Pool, "query">,
  requested: readonly { id: string; today: string; yesterday: string }[],
): Promise<SpendOfDays[]> {
  const { rows } = await sql.query<SpendOfDays>({
    name: "spend_of_days",
    text: `SELECT c.id, ${spentOn("c.id", "c.today")}::text AS today, ${spentOn("c.id", "c.yesterday")}::text AS yesterday,
             ${spentEver("c.id")}::text AS total
           FROM unnest($1::text[], $2::date[], $3::date[]) AS c(id, today, yesterday)`,
    values: [requested.map(({ id }) => id), requested.map((one) => one.today), requested.map((one) => one.yesterday)],
  });
  return rows;
}

/** The crossings that were not recorded yet. */
export async function unrecorded(
  sql: Pick<Pool, "query">,
  crossings: readonly BudgetCrossing[],
): Promise<BudgetCrossing[]> {
  if (crossings.length === 0) return [];
  const { rows } = await sql.query<{ at: number }>({
    name: "unrecorded_budget_crossings",
    text: `SELECT c.at::int AS at
           FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS c(id, period, level, budget, at)
           WHERE NOT EXISTS (
             SELECT FROM budget_crossings b
             WHERE b.campaign_id = c.id AND b.period = c.period AND b.level = c.level AND b.budget_micros = c.budget
           ) ORDER BY c.at`,
    values: [
      crossings.map(({ campaignId }) => campaignId),
      crossings.map(({ period }) => period),
      crossings.map(({ level }) => level),
      crossings.map(({ budgetMicros }) => budgetMicros),
    ],
  });
  return rows.flatMap(({ at }) => crossings[at - 1] ?? []);
}
