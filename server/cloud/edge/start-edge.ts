import type { Pool } from "pg";
import type { Tasks } from "../../engines/jobs/start-jobs";
import type { Clock } from "../../kernel/clock";
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

/** In graphile-worker's crontab format. */
export const EDGE_CRONTAB = `* * * * * ${UPKEEP}`;

interface StartEdge extends Omit<EdgeRunsParts, "hosts" | "logs"> {
  publicUrl: string;
  edgeDomain: string | undefined;
  log: ConstructorParameters<typeof EdgeLogs>[0]["log"];
}

/** Opens what runs edge functions. */
export function startEdge({ publicUrl, edgeDomain, ...parts }: StartEdge) {
  const logs = new EdgeLogs(parts);
  const runs = new EdgeRuns({ ...parts, logs, hosts: new EdgeHosts({ publicUrl, edgeDomain }) });
  return { runs, stop: () => logs.stop() };
}

/** Deletes old log lines, and entries of KV namespaces that have expired. */
export const edgeTasks = ({ sql, clock }: { sql: Pool; clock: Clock }): Tasks => ({
  [UPKEEP]: async () => {
    const now = clock.now();
    await forgetLogLines(sql, { before: new Date(now.getTime() - KEPT_MS), kept: LINES_KEPT });
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      if ((await deleteExpiredKv(sql, { now, max: EXPIRED_BATCH })) < EXPIRED_BATCH) return;
    }
  },
});
