import type { Pool } from "pg";

/** The sums of a tenant's month, in nanos. */
export interface MonthSums {
  /** Such as "2026-11". */
  month: string;
  earned: bigint;
  clawedBack: bigint;
  /** The part of `earned` minus `clawedBack` that is pending. */
  pending: bigint;
  /** Of campaigns on channels of other tenants. */
  charged: bigint;
  reversed: bigint;
  /** Of campaigns on the tenant's own channels, which are not paid. */
  own: bigint;
  /** Added to the prepaid balance. */
  credited: bigint;
  /** The prepaid balance at the end of the month, or now. */
  closing: bigint;
}

/** Closing balances are computed backwards from the present one, so that the last of them always equals it. */
const MONTHS = `
  WITH activity AS (
    SELECT date_trunc('month', day)::date AS month,
      sum(nanos) FILTER (WHERE kind = 'earned') AS earned,
      sum(reversed_nanos) FILTER (WHERE kind = 'earned') AS clawed_back,
      sum(nanos - reversed_nanos) FILTER (WHERE kind = 'earned' AND day >= $2::date) AS pending,
      sum(nanos) FILTER (WHERE kind = 'spent') AS charged,
      sum(reversed_nanos) FILTER (WHERE kind = 'spent') AS reversed,
      sum(nanos) FILTER (WHERE kind = 'own') AS own, 0 AS credited
    FROM ledger_days WHERE tenant_id = $1 GROUP BY 1
    UNION ALL
    SELECT date_trunc('month', at AT TIME ZONE 'UTC')::date, 0, 0, 0, 0, 0, 0, sum(amount_nanos)
    FROM balance_entries WHERE tenant_id = $1 GROUP BY 1
  ), months AS (
    SELECT month, coalesce(sum(earned), 0) AS earned, coalesce(sum(clawed_back), 0) AS clawed_back,
      coalesce(sum(pending), 0) AS pending, coalesce(sum(charged), 0) AS charged, coalesce(sum(reversed), 0) AS reversed,
      coalesce(sum(own), 0) AS own, sum(credited) AS credited
    FROM activity GROUP BY month
  ), closed AS (
    SELECT *, coalesce((SELECT credited_nanos - spent_nanos FROM tenant_balances WHERE tenant_id = $1), 0)
      - coalesce(sum(credited - charged + reversed) OVER (
          ORDER BY month DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS closing
    FROM months
  )
  SELECT to_char(month, 'YYYY-MM') AS month, earned::bigint, clawed_back::bigint AS "clawedBack", pending::bigint,
    charged::bigint, reversed::bigint, own::bigint, credited::bigint, closing::bigint
  FROM closed WHERE $3::date IS NULL OR month < $3::date
  ORDER BY month DESC LIMIT $4`;

interface ListMonths {
  tenantId: string;
  /** The first day whose earnings are pending. */
  pendingFrom: string;
  /** Only months before this one. */
  before: string | undefined;
  take: number;
}

/** The tenant's months with any charge, earning or credit, newest first, from one snapshot of the ledger. */
export async function listMonths(
  sql: Pick<Pool, "query">,
  { tenantId, pendingFrom, before, take }: ListMonths,
): Promise<MonthSums[]> {
  const values = [tenantId, pendingFrom, before === undefined ? null : `${before}-01`, take];
  return (await sql.query<MonthSums>({ name: "list_months", text: MONTHS, values })).rows;
}

export interface MonthQuery {
  tenantId: string;
  /** The first day of the month, and that of the next. */
  from: string;
  to: string;
  /** Of channels or campaigns; the rest is summed in one line without an id. */
  linesMax: number;
}

/** A line or a day of earnings, in nanos. */
export interface Earned {
  id: string | null;
  name: string | null;
  earned: bigint;
  clawedBack: bigint;
  pending: bigint;
}

export interface EarningsSums {
  /** The largest first. */
  lines: Earned[];
  days: { day: string; earned: bigint; clawedBack: bigint }[];
}

const EARNINGS = `
  WITH month AS MATERIALIZED (
    SELECT * FROM ledger_days WHERE tenant_id = $1 AND kind = 'earned' AND day >= $2::date AND day < $3::date
  ), items AS (
    SELECT item_id, sum(nanos) AS earned, sum(reversed_nanos) AS clawed_back,
      coalesce(sum(nanos - reversed_nanos) FILTER (WHERE day >= $5::date), 0) AS pending,
      row_number() OVER (ORDER BY sum(nanos - reversed_nanos) DESC, item_id) AS rank
    FROM month GROUP BY item_id
  )
  SELECT NULL AS day, c.id, max(c.name) AS name, sum(earned)::bigint AS earned, sum(clawed_back)::bigint AS "clawedBack",
    sum(pending)::bigint AS pending, CASE WHEN c.id IS NULL THEN $4::bigint + 1 ELSE min(rank) END AS rank
  FROM items LEFT JOIN channels c ON c.id = item_id AND c.tenant_id = $1 AND rank <= $4::bigint
  GROUP BY c.id
  UNION ALL
  SELECT day::text, NULL, NULL, sum(nanos)::bigint, sum(reversed_nanos)::bigint, 0, 0 FROM month GROUP BY day
  ORDER BY day NULLS FIRST, rank`;

/** What a tenant's channels earned in a month, by channel and by day, from one snapshot of the ledger. */
export async function readEarnings(
  sql: Pick<Pool, "query">,
  { tenantId, from, to, linesMax, pendingFrom }: MonthQuery & { pendingFrom: string },
): Promise<EarningsSums> {
  const { rows } = await sql.query<Earned & { day: string | null }>({
    name: "read_month_earnings",
    text: EARNINGS,
    values: [tenantId, from, to, linesMax, pendingFrom],
  });
  return {
    lines: rows.filter(({ day }) => day === null),
    days: rows.flatMap(({ day, earned, clawedBack }) => (day === null ? [] : [{ day, earned, clawedBack }])),
  };
}

/** A line or a day of spend, in nanos. */
export interface Spent {
  id: string | null;
  name: string | null;
  charged: bigint;
  reversed: bigint;
  own: bigint;
}

export interface SpendSums {
  /** The largest first. */
  lines: Spent[];
  days: { day: string; charged: bigint; reversed: bigint; own: bigint }[];
  /** Added to the prepaid balance in the month. */
  credited: bigint;
  /** The prepaid balance at the end of the month, or now. */
  closing: bigint;
}

/** The part `balance` has the credits and the closing balance where the others have charges and reversals. */
const SPEND = `
  WITH month AS MATERIALIZED (
    SELECT item_id, day, sum(nanos) FILTER (WHERE kind = 'spent') AS charged,
      sum(reversed_nanos) FILTER (WHERE kind = 'spent') AS reversed, sum(nanos) FILTER (WHERE kind = 'own') AS own
    FROM ledger_days
    WHERE tenant_id = $1 AND kind IN ('spent', 'own') AND day >= $2::date AND day < $3::date GROUP BY 1, 2
  ), items AS (
    SELECT item_id, coalesce(sum(charged), 0) AS charged, coalesce(sum(reversed), 0) AS reversed,
      coalesce(sum(own), 0) AS own,
      row_number() OVER (
        ORDER BY coalesce(sum(charged), 0) - coalesce(sum(reversed), 0) DESC, coalesce(sum(own), 0) DESC, item_id) AS rank
    FROM month GROUP BY item_id
  )
  SELECT 'line' AS part, NULL AS day, c.id, max(c.name) AS name, sum(charged)::bigint AS charged,
    sum(reversed)::bigint AS reversed, sum(own)::bigint AS own,
    CASE WHEN c.id IS NULL THEN $4::bigint + 1 ELSE min(rank) END AS rank
  FROM items LEFT JOIN campaigns c ON c.id = item_id AND c.tenant_id = $1 AND rank <= $4::bigint
  GROUP BY c.id
  UNION ALL
  SELECT 'day', day::text, NULL, NULL, coalesce(sum(charged), 0)::bigint, coalesce(sum(reversed), 0)::bigint,
    coalesce(sum(own), 0)::bigint, 0
  FROM month GROUP BY day
  UNION ALL
  SELECT 'balance', NULL, NULL, NULL,
    coalesce((SELECT sum(amount_nanos) FROM balance_entries
      WHERE tenant_id = $1 AND at >= $2::date AND at < $3::date), 0)::bigint,
    (coalesce((SELECT credited_nanos - spent_nanos FROM tenant_balances WHERE tenant_id = $1), 0)
      - coalesce((SELECT sum(amount_nanos) FROM balance_entries WHERE tenant_id = $1 AND at >= $3::date), 0)
      + coalesce((SELECT sum(nanos - reversed_nanos) FROM ledger_days
          WHERE tenant_id = $1 AND kind = 'spent' AND day >= $3::date), 0))::bigint, 0, 0
  ORDER BY part, day, rank`;

/** What a tenant's campaigns spent in a month, by campaign and by day, and the prepaid balance, from one snapshot. */
export async function readSpend(
  sql: Pick<Pool, "query">,
  { tenantId, from, to, linesMax }: MonthQuery,
): Promise<SpendSums> {
  const { rows } = await sql.query<Spent & { part: string; day: string | null }>({
    name: "read_month_spend",
    text: SPEND,
    values: [tenantId, from, to, linesMax],
  });
  const balance = rows.find(({ part }) => part === "balance");
  return {
    lines: rows.filter(({ part }) => part === "line"),
    days: rows.flatMap(({ day, charged, reversed, own }) => (day === null ? [] : [{ day, charged, reversed, own }])),
    credited: balance?.charged ?? 0n,
    closing: balance?.reversed ?? 0n,
  };
}
