import type { Pod, PodRun } from "../../../engines/postgres/generated/client";
import type { Purchase } from "../../core/prices/pod-prices";

export const POD_ID_PREFIX = "pod";
/** After 30 days a pod is stopped, and cannot be started again. */
export const LIFETIME_MS = 30 * 24 * 3600 * 1000;

/** A stored pod with its last run. */
export type StoredPod = Pod & { runs: PodRun[] };

/** The last run of each pod of a query. */
export const LAST_RUN = { runs: { orderBy: { number: "desc" }, take: 1 } } as const;

/** The id of a run, and of its workload on the runtime. */
export const runIdOf = (podId: string, number: number): string => `${podId}-${number}`;

/** How its GPUs are bought. */
export const purchaseOf = ({ spot, reservationId }: Pick<Pod, "spot" | "reservationId">): Purchase =>
  reservationId !== null ? "reserved" : spot ? "spot" : "on_demand";

/** Where the events of a pod belong. */
export const originOf = ({ projectId, mode }: Pod) => ({ projectId, mode });
