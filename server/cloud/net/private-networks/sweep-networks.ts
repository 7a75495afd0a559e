import type { RuntimeNetworks } from "../../../engines/runtime/runtime-networks";
import { type QuarantineUnknown, quarantineUnknown } from "../../core/quarantine/quarantine-unknown";
import { recordedNetworks } from "./networks.sql";

/**
 * Keeps the private networks of a node that neither a workload nor a record has for a while, and deletes them then. Returns
 * how many no workload has.
 */
export async function sweepNetworks(
  ctx: Omit<QuarantineUnknown, "remove">,
  networks: RuntimeNetworks | undefined,
): Promise<number> {
  if (!networks) return 0;
  // Listed before the records are read: one that is made meanwhile has had its record before.
  const ids = await networks.unused();
  const known = await recordedNetworks(ctx.sql, ids);
  const unknown = ids.filter((id) => !known.has(id));
  await quarantineUnknown({ ...ctx, remove: (id) => networks.remove(id) }, { kind: "network", ids: unknown });
  return ids.length;
}
