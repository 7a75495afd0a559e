import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import { nodeOfVolumes } from "../../data/volumes/attach-volumes";
import type { PodMount } from "../../data/volumes/pod-mounts";
import { lockNetworkOf } from "./networks.sql";

interface Owner {
  tenantId: string;
  projectId: string;
  mode: Mode;
}

/** What a new pod is bound to. */
export interface NetworkOfPod {
  networkId: string | null;
  networkSubnet: string | null;
  /** The node that has the network, or else its volumes; null: any. */
  requiredNodeId: string | null;
}

/**
 * Finds what a new pod has attached, its private network and its shared volumes, and keeps it from being deleted until the
 * transaction ends. Throws `unprocessable` unless the project has the network in the mode and one node has all of it,
 * and what `nodeOfVolumes` throws.
 */
export async function attachPod(
  tx: Prisma.TransactionClient,
  owner: Owner,
  { network: id, volumes: mounts }: { network?: string | undefined; volumes: readonly PodMount[] },
): Promise<NetworkOfPod> {
  const network = await joinNetwork(tx, owner, id);
  const nodeId = await nodeOfVolumes(tx, { owner, network, mounts, holds: true });
  return onOneNode(network, nodeId);
}

/** `id` is that of a network, or of a subnet (`<id>/<name>`); without it the pod is in no network. */
async function joinNetwork(tx: Prisma.TransactionClient, owner: Owner, id: string | undefined): Promise<NetworkOfPod> {
  if (id === undefined) return { networkId: null, networkSubnet: null, requiredNodeId: null };
  const [networkId = "", name] = id.split("/");
  const network = await lockNetworkOf(tx, owner, networkId);
  if (!network) throw notUsable(`The project has no vpc with the id "${networkId}" that is ready in this mode.`);
  if (network.closed) throw notUsable("The vpc is being deleted, or its service net is not activated.");
  const subnet = name === undefined ? network.subnets[0] : network.subnets.find((one) => one.name === name);
  if (!subnet) {
    const names = network.subnets.map((one) => one.name).join(", ");
    throw notUsable(`The vpc has no subnet "${name}"; it has: ${names}.`);
  }
  return { networkId, networkSubnet: subnet.name, requiredNodeId: network.nodeId };
}

/** Binds a pod to the node of its volumes too; null: any. */
function onOneNode(network: NetworkOfPod, nodeId: string | null): NetworkOfPod {
  const { requiredNodeId } = network;
  if (nodeId === null || nodeId === requiredNodeId) return network;
  if (requiredNodeId !== null) throw notUsable("The vpc and a volume of the pod are on different nodes.");
  return { ...network, requiredNodeId: nodeId };
}

const notUsable = (message: string): ServiceError =>
  new ServiceError("unprocessable", message, { param: "network", details: { reason: "target_missing" } });
