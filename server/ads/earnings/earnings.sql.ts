import type { Pool } from "pg";

/** In nanos; clawed-back amounts are not part of the other two. */
export interface EarningSums {
  pending: bigint;
  available: bigint;
  clawedBack: bigint;
  /** The pending days with earnings, oldest first. */
  days: { day: string; nanos: bigint }[];
}

/**
 * The sums of a publisher's days; days from `since` on are pending. Reads one row per day, however many events there
 * are.
 */
export async function sumEarnings(
  sql: Pick<Pool, "query">,
  { tenantId, since }: { tenantId: string; since: Date },
): Promise<EarningSums> {
  const { rows } = await sql.query<{ day: string | null; nanos: string; clawedBack: string }>({
    name: "sum_earnings",
    text: `SELECT (CASE WHEN day >= $2::date THEN day END)::text AS day,
             sum(earned_nanos - clawed_back_nanos)::text AS nanos, sum(clawed_back_nanos)::text AS "clawedBack"
           FROM publisher_earnings WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1`,
    values: [tenantId, since.toISOString().slice(0, 10)],
  });
  const sums: EarningSums = { pending: 0n, available: 0n, clawedBack: 0n, days: [] };
  for (const { day, nanos, clawedBack } of rows) {
    sums.clawedBack += BigInt(clawedBack);
    if (day === null) sums.available += BigInt(nanos);
    else {
      sums.pending += BigInt(nanos);
      if (nanos !== "0") sums.days.push({ day, nanos: BigInt(nanos) });
    }
  }
  return sums;
}
