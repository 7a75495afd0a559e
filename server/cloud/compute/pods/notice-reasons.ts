interface Reason {
  code: string;
  message: string;
}

/** The notice of every pod on a node that an operator drains; tenants do not read the operator's reason. */
export const NODE_DRAINING: Reason = { code: "node_draining", message: "Its node is drained for maintenance." };

const SPOT_RECLAIMED: Reason = { code: "spot_reclaimed", message: "Its GPUs were needed by another pod." };

/** The notice that a tenant requests; it has the code of a real one, because programs decide by it. */
export const RECLAIM_REHEARSED: Reason = {
  code: "capacity_needed",
  message: "A rehearsal of a reclaim was requested.",
};

/** The reason of a pod whose run has ended after a notice, which is its reason until then. */
export function reclaimedReason({
  reasonCode,
  reasonText,
}: {
  reasonCode: string | null;
  reasonText: string | null;
}): Reason {
  if (reasonCode === NODE_DRAINING.code) return NODE_DRAINING;
  return reasonText === RECLAIM_REHEARSED.message ? { ...SPOT_RECLAIMED, message: reasonText } : SPOT_RECLAIMED;
}
