import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { countPods, lockNetwork, type Subnet } from "./networks.sql";

/** The addresses of a network, of which pods of a subnet get theirs. */
export interface NetworkAddresses {
  cidr: string;
  subnets: readonly Subnet[];
}

interface Change {
  id: string;
  before: NetworkAddresses;
  after: NetworkAddresses;
}

/**
 * Gives a network other addresses. Throws `conflict` while pods that wait, start or run use those of before. A pod that
 * starts from now on gets one of the new addresses.
 */
export async function changeNetwork(tx: Prisma.TransactionClient, { id, before, after }: Change): Promise<void> {
  if (!(await lockNetwork(tx, id))) return;
  const pods = keepsAddresses(before, after) ? 0 : ((await countPods(tx, [id])).get(id) ?? 0);
  if (pods > 0) throw inUse(`${pods} pods have addresses of it`, "spec");
  await tx.privateNetwork.update({ where: { id }, data: toColumns(after) });
}

/** From now on no pod joins it. Throws `conflict` while pods or nats use it. */
export async function closeNetwork(tx: Prisma.TransactionClient, id: string): Promise<void> {
  if (!(await lockNetwork(tx, id))) return;
  const pods = (await countPods(tx, [id])).get(id) ?? 0;
  if (pods > 0) throw inUse(`${pods} pods use it`, "rid");
  const gateway = await tx.networkGateway.findFirst({ where: { networkId: id }, select: { id: true } });
  if (gateway) throw inUse(`the nat ${gateway.id} is attached to it`, "rid");
  await tx.privateNetwork.update({ where: { id }, data: { closed: true } });
}

export const toColumns = ({ cidr, subnets }: NetworkAddresses) => ({
  cidr,
  subnets: subnets.map((subnet) => ({ ...subnet })),
});

/** Whether a change only adds subnets. */
function keepsAddresses(before: NetworkAddresses, after: NetworkAddresses): boolean {
  const kept = new Set(after.subnets.map(({ name, cidr }) => `${name} ${cidr}`));
  return before.cidr === after.cidr && before.subnets.every(({ name, cidr }) => kept.has(`${name} ${cidr}`));
}

const inUse = (why: string, param: string): ServiceError =>
  new ServiceError("conflict", `The vpc is in use: ${why}. Delete them first; subnets can be added at any time.`, {
    param,
    details: { reason: "has_dependents" },
  });
