import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../../kernel/clock";
import { recordUnknown, type UnknownKind, unknownBefore } from "./unknown.sql";

/** How long something is kept that no record names. */
export const UNKNOWN_KEPT_MS = 7 * 24 * 3_600_000;

export interface QuarantineUnknown {
  sql: Pick<Pool, "query">;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
  /** The node that has them, or `POSTGRESQL`. */
  nodeId: string;
  /** Deletes one, unless it is in use or has a record again. */
  remove(id: string): Promise<unknown>;
}

/** In place of a node: svc's own PostgreSQL server. */
export const POSTGRESQL = "postgresql";

const NOUNS: Readonly<Record<UnknownKind, string>> = {
  pod: "volumes",
  shared: "volumes",
  network: "networks",
  database: "databases",
};

/**
 * Quarantines what is on a node or a server and has no record: nothing can use it, and it is deleted after 7 days. After a
 * database was restored, it is what was created since its backup. What has a record again leaves the quarantine.
 */
export async function quarantineUnknown(
  { sql, clock, log, nodeId, remove }: QuarantineUnknown,
  { kind, ids }: { kind: UnknownKind; ids: readonly string[] },
): Promise<void> {
  const now = clock.now();
  const found = await recordUnknown(sql, { nodeId, kind, ids, now });
  if (found.length > 0) {
    log.error(
      { alarm: `unknown_${NOUNS[kind]}`, node: nodeId, ids: found },
      `${NOUNS[kind]} that no record names are kept for 7 days: restore a newer backup, or see npm run svc -- admin quarantine`,
    );
  }
  if (ids.length === 0) return;
  const before = new Date(now.getTime() - UNKNOWN_KEPT_MS);
  for (const id of await unknownBefore(sql, { nodeId, kind, before })) {
    await remove(id);
    log.warn({ node: nodeId, kind, id }, "something was deleted that no record has named for 7 days");
  }
}
