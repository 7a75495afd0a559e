import type { Pool } from "pg";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { RunningRound } from "../../kernel/alarms";
import { SPENDING_TOPIC } from "../budgets/start-pacing";
import type { ServingState } from "../matching/serving-state";
import { readBuyers } from "../network/buyers.sql";

const BUYERS_EVERY_MS = 1000;

interface FollowBuyers {
  state: ServingState;
  alarms: Pick<StartedAlarms, "add">;
  /** Whether offers are returned, so that balances change. */
  isServing: () => boolean;
}

/**
 * Reads the data that determines whether tenants' network campaigns may serve: when it changes, and every second while
 * this process serves. Rejects if the first read fails.
 */
export async function followBuyers(sql: Pool, { state, alarms, isServing }: FollowBuyers): Promise<RunningRound> {
  const read = async () => {
    const tenants = new Set<string>();
    for (const { reach, tenantId } of state.campaigns()) if (reach === "network") tenants.add(tenantId);
    if (tenants.size > 0) state.putBuyers(await readBuyers(sql, [...tenants]));
  };
  await read();
  return alarms.add({
    topic: "buyers",
    wokenBy: [SPENDING_TOPIC],
    purpose: "read the balances of network campaigns",
    everyMs: () => (isServing() ? BUYERS_EVERY_MS : undefined),
    run: read,
  });
}
