import type { Pool } from "pg";
import type { Runtime } from "../../engines/runtime/runtime";
import { knownVolumes } from "./volumes.sql";

/**
 * Removes the volumes of a machine that no run needs, such as those of a database that was restored. Returns how many
 * there were, with those that are needed.
 */
export async function removeOrphanVolumes({
  sql,
  runtime: { volumes },
  runnerId,
}: {
  sql: Pick<Pool, "query">;
  runtime: Pick<Runtime, "volumes">;
  runnerId: string;
}): Promise<number> {
  const ids = ((await volumes?.list())?.ids ?? []).filter((id) => id.startsWith("pod_"));
  if (ids.length === 0) return 0;
  const known = await knownVolumes(sql, runnerId, ids);
  for (const id of ids) if (!known.has(id)) await volumes?.remove(id);
  return ids.length;
}
