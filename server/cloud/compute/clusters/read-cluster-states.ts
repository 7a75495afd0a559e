import type { DesiredResource, Observation } from "../../core/kinds/kind";
import { capacitiesOf } from "./cluster-capacity";
import type { ClusterParts } from "./cluster-ctx";
import { type ClusterCapacity, namespaceOf } from "./cluster-manifests";
import { type ClusterObjects, hasCapacity, readClusters } from "./cluster-objects";
import type { ClusterSpec } from "./cluster-spec";

/** What clusters are in Kubernetes, by the id of the resource; those without one are left out. */
export async function readClusterStates(
  parts: ClusterParts,
  all: readonly DesiredResource<ClusterSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const { db, clusterHost } = parts;
  const [found, capacities, { server }] = await Promise.all([
    clusterHost.use(readClusters),
    capacitiesOf(db, all),
    clusterHost.endpoint(),
  ]);
  return new Map(
    all.flatMap((desired): [string, Observation][] => {
      const objects = found.get(namespaceOf(desired.rid));
      const capacity = capacities.get(desired.rid);
      return capacity ? [[desired.rid, observationOf(desired, { objects, capacity, server })]] : [];
    }),
  );
}

interface Look {
  objects: ClusterObjects | undefined;
  capacity: ClusterCapacity;
  server: string;
}

function observationOf({ rid, mode }: DesiredResource<ClusterSpec>, { objects, capacity, server }: Look): Observation {
  // What is missing is made again.
  if (!objects?.isActive || !objects.isIsolated || !objects.hasPolicy || !objects.hasAccess) return { is: "absent" };
  if (!hasCapacity(objects.hard, capacity)) return { is: "absent" };
  const observed = {
    server,
    namespace: namespaceOf(rid),
    isolation: "namespace",
    cores: capacity.cores,
    memory_gib: capacity.memoryGib,
    pods_max: capacity.pods,
    gpus: capacity.gpus,
    simulated_gpus: mode === "test",
  };
  return { is: "present", observed };
}
