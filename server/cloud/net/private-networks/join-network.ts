import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { lockNetworkOf } from "./networks.sql";

/** What a new pod is bound to. */
export interface NetworkOfPod {
  networkId: string | null;
  networkSubnet: string | null;
  /** The machine that has the network, or else its volumes; null: any. */
  requiredRunnerId: string | null;
}

/**
 * Finds the network of a new pod by its id, or by that of a subnet (`<id>/<name>`), and keeps it from being deleted until
 * the transaction ends; without an id the pod is in no network. Throws `unprocessable` unless the project has it in the mode.
 */
export async function joinNetwork(
  tx: Prisma.TransactionClient,
  place: { tenantId: string; projectId: string; mode: "test" | "live" },
  id: string | undefined,
): Promise<NetworkOfPod> {
  if (id === undefined) return { networkId: null, networkSubnet: null, requiredRunnerId: null };
  const [networkId = "", name] = id.split("/");
  const network = await lockNetworkOf(tx, place, networkId);
  if (!network) throw notUsable(`The project has no vpc with the id "${networkId}" that is ready in this mode.`);
  if (network.closed) throw notUsable("The vpc is being deleted, or its service net is not activated.");
  const subnet = name === undefined ? network.subnets[0] : network.subnets.find((one) => one.name === name);
  if (!subnet) {
    const names = network.subnets.map((one) => one.name).join(", ");
    throw notUsable(`The vpc has no subnet "${name}"; it has: ${names}.`);
  }
  return { networkId, networkSubnet: subnet.name, requiredRunnerId: network.runnerId };
}

/** Binds a pod to the machine of its volumes too; null: any. Throws `unprocessable` if its network is on another one. */
export function onOneNode(network: NetworkOfPod, nodeId: string | null): NetworkOfPod {
  const { requiredRunnerId } = network;
  if (nodeId === null || nodeId === requiredRunnerId) return network;
  if (requiredRunnerId !== null) throw notUsable("The vpc and a volume of the pod are on different machines.");
  return { ...network, requiredRunnerId: nodeId };
}

const notUsable = (message: string): ServiceError =>
  new ServiceError("unprocessable", message, { param: "network", details: { reason: "target_missing" } });
