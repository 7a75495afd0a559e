interface Reason {
  code: string;
  message: string;
}

/** The notice of every pod on a node that an operator drains; tenants do not read the operator's reason. */
export const NODE_DRAINING: Reason = { code: "node_draining", message: "Its node is drained for maintenance." };

const SPOT_RECLAIMED: Reason = { code: "spot_reclaimed", message: "Its GPUs were needed by another pod." };

/** The reason of a pod whose run has ended after a notice. */
export const reclaimedReason = (noticeCode: string | null): Reason =>
  noticeCode === NODE_DRAINING.code ? NODE_DRAINING : SPOT_RECLAIMED;
