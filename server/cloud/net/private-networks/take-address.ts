import type { Pod, PrismaClient } from "../../../engines/postgres/generated/client";
import type { JoinedNetwork } from "../../../engines/runtime/runtime-networks";
import { freeAddress, isHost, parseCidr } from "./cidr";
import { lockNetwork, takenAddresses } from "./networks.sql";

interface Reason {
  code: string;
  message: string;
}

/**
 * The place of a pod that starts in its private network: with the address that it had before if that is free, or else
 * the lowest free one of its subnet. Returns why it has none; undefined: the pod is in no network.
 */
export async function takeAddress(
  db: PrismaClient,
  { id, networkId, networkSubnet, networkAddress }: Pick<Pod, "id" | "networkId" | "networkSubnet" | "networkAddress">,
): Promise<JoinedNetwork | Reason | undefined> {
  if (networkId === null) return undefined;
  return db.$transaction(async (tx) => {
    const network = await lockNetwork(tx, networkId);
    const whole = network && parseCidr(network.cidr);
    const subnet = parseCidr(network?.subnets.find(({ name }) => name === networkSubnet)?.cidr ?? "");
    if (!network || network.closed || !whole || !subnet) return GONE;
    const taken = await takenAddresses(tx, { networkId, podId: id });
    const isKept = networkAddress !== null && isHost(subnet, networkAddress) && !taken.has(networkAddress);
    const address = isKept ? networkAddress : freeAddress(subnet, taken);
    if (address === undefined) return FULL;
    if (!isKept) await tx.pod.update({ where: { id }, data: { networkAddress: address } });
    return { id: networkId, address, prefixLength: whole.prefixLength };
  });
}

const GONE: Reason = {
  code: "network_missing",
  message: "The private network of the pod, or its subnet, was deleted, or the service net is not activated.",
};
const FULL: Reason = {
  code: "no_addresses",
  message: "All addresses of the subnet are taken: delete pods of it, or use another subnet.",
};
