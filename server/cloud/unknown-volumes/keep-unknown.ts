import type { Pool } from "pg";
import type { Logger } from "pino";
import type { RuntimeVolumes } from "../../engines/runtime/runtime-volumes";
import type { Clock } from "../../kernel/clock";
import { noteUnknown, unknownBefore, type VolumeKind } from "./unknown-volumes.sql";

/** How long a volume is kept that no record names. */
export const UNKNOWN_KEPT_MS = 7 * 24 * 3_600_000;

export interface KeepUnknown {
  sql: Pick<Pool, "query">;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
  runnerId: string;
  volumes: Pick<RuntimeVolumes, "remove">;
}

/**
 * Quarantines volumes without a record: they cannot be mounted, and are deleted after 7 days. After a database was restored,
 * they are the volumes created since its backup. A volume that has a record again leaves the quarantine.
 */
export async function keepUnknown(
  { sql, clock, log, runnerId, volumes }: KeepUnknown,
  { kind, ids }: { kind: VolumeKind; ids: readonly string[] },
): Promise<void> {
  const now = clock.now();
  const found = await noteUnknown(sql, { runnerId, kind, ids, now });
  if (found.length > 0) {
    log.error(
      { alarm: "unknown_volumes", machine: runnerId, volumes: found },
      "volumes that no record names are kept for 7 days: restore a newer backup, or see npm run svc -- admin unknown-volumes",
    );
  }
  if (ids.length === 0) return;
  const before = new Date(now.getTime() - UNKNOWN_KEPT_MS);
  for (const id of await unknownBefore(sql, { runnerId, kind, before })) {
    await volumes.remove(id);
    log.warn({ machine: runnerId, volume: id }, "a volume was deleted that no record has named for 7 days");
  }
}
