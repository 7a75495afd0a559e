import type { Pool } from "pg";
import type { MinuteTasks, Tasks } from "../../../engines/jobs/start-jobs";
import { TenantSql } from "../../../engines/tenant-sql/tenant-sql";
import type { Clock } from "../../../kernel/clock";
import { EDGE_DATABASES, EdgeDatabases } from "./edge-databases";
import { EdgeHosts } from "./edge-hosts";
import { EdgeLogs } from "./edge-logs";
import { forgetLogLines } from "./edge-logs.sql";
import { EdgeRuns, type EdgeRunsParts } from "./edge-runs";
import { deleteExpiredKv } from "./kv.sql";

const UPKEEP = "maintain_edge_functions";
const LINES_KEPT = 1000;
const KEPT_MS = 24 * 3_600_000;
const EXPIRED_BATCH = 1000;
const BATCHES_MAX = 50;

export const EDGE_EVERY_MINUTE: MinuteTasks = {
  [UPKEEP]: `SELECT FROM edge_log_lines UNION ALL SELECT FROM edge_sql_databases
    UNION ALL SELECT FROM (${EDGE_DATABASES}) d UNION ALL SELECT FROM quarantine WHERE kind = 'database'
    UNION ALL SELECT FROM edge_kv_entries WHERE expires_at IS NOT NULL`,
};

export interface StartEdge extends Omit<EdgeRunsParts, "hosts" | "logs" | "databases"> {
  encryptionKey: Buffer;
  publicUrl: string;
  edgeDomain: string | undefined;
  log: ConstructorParameters<typeof EdgeLogs>[0]["log"] & ConstructorParameters<typeof EdgeDatabases>[0]["log"];
}

/** Opens what runs edge functions. */
export function startEdge({ publicUrl, edgeDomain, encryptionKey, ...parts }: StartEdge) {
  const logs = new EdgeLogs(parts);
  const { sql, space, log, storedBytes } = parts;
  const tenantSql = new TenantSql(sql, {
    space,
    log,
    limit: {
      assertRoom: (tenantId) => storedBytes.assertRoom(tenantId),
      take: (tenantId, bytes) => storedBytes.take(tenantId, "databases", bytes),
    },
  });
  const databases = new EdgeDatabases({ ...parts, encryptionKey, tenantSql });
  const runs = new EdgeRuns({ ...parts, logs, databases, hosts: new EdgeHosts({ publicUrl, edgeDomain }) });
  const stop = async () => {
    await logs.stop();
    tenantSql.close();
  };
  return { runs, databases, stop };
}

interface EdgeUpkeep {
  sql: Pool;
  clock: Clock;
  databases: Pick<EdgeDatabases, "removeUnbound" | "sweepUnknown">;
}

/** Deletes old log lines, SQL databases that no function binds or no record names, and entries of KV namespaces that have expired. */
export const edgeTasks = ({ sql, clock, databases }: EdgeUpkeep): Tasks => ({
  [UPKEEP]: async () => {
    const now = clock.now();
    await forgetLogLines(sql, { before: new Date(now.getTime() - KEPT_MS), kept: LINES_KEPT });
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      if ((await deleteExpiredKv(sql, { now, max: EXPIRED_BATCH })) < EXPIRED_BATCH) break;
    }
    await databases.removeUnbound();
    await databases.sweepUnknown();
  },
});
