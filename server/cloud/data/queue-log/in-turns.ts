import type { Pool } from "pg";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import { lockName } from "../../../engines/postgres/named-lock";
import type { QueueReplica } from "./queue-replica";

/**
 * Runs `work` in a transaction during which no other process appends to these queues, with their states caught up. The
 * locks are taken in the order of the ids, so that two transactions cannot wait for each other.
 */
export async function inTurns<T>(sql: Pool, replicas: readonly QueueReplica[], work: () => Promise<T>): Promise<T> {
  const ordered = replicas.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return inTransaction(sql, async (client) => {
    let step = work;
    for (const replica of ordered) {
      await lockName(client, replica.id);
      const inner = step;
      step = () => replica.using(client, inner);
    }
    for (const replica of ordered) await replica.using(client, () => replica.catchUp());
    return step();
  });
}
