import type { Pool } from "pg";
import type { Logger } from "pino";
import { type Repeating, repeat } from "../../kernel/repeat";
import type { ServingState } from "../matching/serving-state";
import { readBuyers } from "../network/buyers.sql";

const BUYERS_EVERY_MS = 1000;

/**
 * Reads the data that determines whether tenants' network campaigns may serve, every second. Rejects if the first read
 * fails.
 */
export async function followBuyers(
  sql: Pool,
  { state, log }: { state: ServingState; log: Pick<Logger, "info" | "warn"> },
): Promise<Repeating> {
  const read = async () => {
    const tenants = new Set<string>();
    for (const { reach, tenantId } of state.campaigns()) if (reach === "network") tenants.add(tenantId);
    if (tenants.size > 0) state.putBuyers(await readBuyers(sql, [...tenants]));
  };
  await read();
  return repeat({ everyMs: BUYERS_EVERY_MS, log, purpose: "read the balances of network campaigns" }, read);
}
