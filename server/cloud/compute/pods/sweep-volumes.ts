import type { Runtime } from "../../../engines/runtime/runtime";
import { type QuarantineUnknown, quarantineUnknown } from "../../core/quarantine/quarantine-unknown";
import { knownVolumes } from "./pods.sql";

/**
 * Keeps the volumes of a node that no run needs for a while, such as those made since the backup of a database that was
 * restored, and deletes them then. Returns how many there were, with those that are needed.
 */
export async function sweepVolumes({
  runtime: { volumes },
  ...ctx
}: Omit<QuarantineUnknown, "remove"> & { runtime: Pick<Runtime, "volumes"> }): Promise<number> {
  if (!volumes) return 0;
  const ids = (await volumes.list()).ids.filter((id) => id.startsWith("pod_"));
  const known = ids.length === 0 ? new Set() : await knownVolumes(ctx.sql, ctx.nodeId, ids);
  await quarantineUnknown(
    { ...ctx, remove: (id) => volumes.remove(id) },
    { kind: "pod", ids: ids.filter((id) => !known.has(id)) },
  );
  return ids.length;
}
