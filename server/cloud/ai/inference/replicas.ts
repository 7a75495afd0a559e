import type { InferenceReplica } from "../../../engines/postgres/generated/client";
import { LAST_RUN, type StoredPod } from "../../compute/pod-records/stored-pod";
import type { InferenceParts } from "./inference-ctx";

/** A pod that serves the model of an endpoint. */
export interface Replica {
  row: InferenceReplica;
  /** undefined: it was deleted. */
  pod: StoredPod | undefined;
}

/** The replicas of endpoints, the oldest first. */
export async function readReplicas(
  { db }: Pick<InferenceParts, "db">,
  endpointIds: readonly string[],
): Promise<Replica[]> {
  const rows = await db.inferenceReplica.findMany({
    where: { endpointId: { in: [...endpointIds] } },
    orderBy: { podId: "asc" },
  });
  const pods = await db.pod.findMany({
    where: { id: { in: rows.map(({ podId }) => podId) }, deletedAt: null },
    include: LAST_RUN,
  });
  const byId = new Map(pods.map((pod) => [pod.id, pod]));
  return rows.map((row) => ({ row, pod: byId.get(row.podId) }));
}

/** New requests may be passed to it. */
export const isServing = ({ row, pod }: Replica): boolean =>
  pod?.status === "ready" && row.readyAt !== null && row.unreadyAt === null && row.drainingAt === null;
