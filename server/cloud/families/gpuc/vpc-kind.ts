import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { reportingNodes, usedRooms } from "../../compute/placement/pod-nodes.sql";
import type { Blocker, DesiredResource, Kind, Observation } from "../../core/kinds/kind";
import { hostsOf, parseCidr } from "../../net/private-networks/cidr";
import { countPods, hasRuns, lockNetwork, type Subnet } from "../../net/private-networks/networks.sql";
import type { GpucParts } from "./gpuc-ctx";
import { subnetsOf, VpcSpec } from "./network-spec";

/** A private network: a row here, and on its machine a bridge from the first start of a pod to the end of the last. */
export const vpcKind = (parts: () => GpucParts): Kind<VpcSpec> => ({
  spec: VpcSpec,
  blockerOf: async () => ((await eligibleNodes(parts())).length > 0 ? undefined : NO_MACHINE),
  plan: (spec, name) => [
    {
      step: "network",
      what: `The network "${name}" with the addresses ${spec.cidr}, separated from every other one`,
      proof: "Two of its pods connect to each other, and no other pod to them",
    },
    ...subnetsOf(spec).map((subnet) => ({
      step: "subnet",
      what: `The subnet ${subnet.name} with ${subnet.cidr}, which has addresses for ${hostsOfText(subnet)} pods`,
      proof: "GET /v1/pods/{id} has the address of a pod of it",
    })),
  ],
  beginChange: (tx, { rid, spec }, after) => beginChange(tx, { rid, before: spec, after }),
  beginRemoval: (tx, { rid }) => close(tx, rid),
  provision: async (desired) => {
    const { db } = parts();
    const { rid: id, generation, spec, tenantId, projectId, mode, createdAt } = desired;
    const found = await db.privateNetwork.findUnique({ where: { id } });
    const runnerId = found?.runnerId ?? (await chooseNode(parts()));
    const settings = { ...addressesOf(spec), closed: false };
    const place = { id, tenantId, projectId, mode, runnerId, createdAt };
    await db.$transaction(async (tx) => {
      // A change that was committed meanwhile has set its addresses already.
      if (!(await holdGeneration(tx, { id, generation }))) return;
      await tx.privateNetwork.upsert({ where: { id }, create: { ...place, ...settings }, update: settings });
    });
    return (await look(parts(), [desired])).get(id) ?? { is: "absent" };
  },
  observe: (all) => look(parts(), all),
  remove: async ({ rid: id }) => {
    const { db, sql } = parts();
    await db.privateNetwork.updateMany({ where: { id }, data: { closed: true } });
    if (await hasRuns(sql, id)) return false;
    await db.privateNetwork.deleteMany({ where: { id } });
    return true;
  },
  suspend: async ({ rid: id }) => {
    await parts().db.privateNetwork.updateMany({ where: { id }, data: { closed: true } });
    return true;
  },
  tryIt: ({ rid }) => [
    {
      title: "Start a pod in it",
      command: `curl -X POST ${parts().publicUrl}/v1/pods -H "Authorization: Bearer $SVC_API_KEY" -H "Content-Type: application/json" -d '{"image": "python:3.12-alpine", "network": "${rid}"}'`,
    },
  ],
});

const hostsOfText = ({ cidr }: Subnet): number => hostsOf(parseCidr(cidr) ?? { first: 0, prefixLength: 32 });

interface Change {
  rid: string;
  before: VpcSpec;
  after: VpcSpec;
}

/**
 * Refuses other addresses while pods that wait, start or run use the network. A pod that starts from now on gets one of the new
 * addresses, also before the resource is provisioned again.
 */
async function beginChange(tx: Prisma.TransactionClient, { rid, before, after }: Change): Promise<void> {
  if (!(await lockNetwork(tx, rid))) return;
  const pods = keepsAddresses(before, after) ? 0 : ((await countPods(tx, [rid])).get(rid) ?? 0);
  if (pods > 0) throw inUse(`${pods} pods have addresses of it`, "spec");
  await tx.privateNetwork.update({ where: { id: rid }, data: addressesOf(after) });
}

const addressesOf = (spec: VpcSpec) => ({ cidr: spec.cidr, subnets: subnetsOf(spec).map((subnet) => ({ ...subnet })) });

/** Whether a resource has a generation; it keeps that until the transaction ends. */
async function holdGeneration(
  tx: Prisma.TransactionClient,
  { id, generation }: { id: string; generation: number },
): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT id FROM resources WHERE id = ${id} AND generation = ${generation} FOR SHARE`;
  return rows.length > 0;
}

/** From now on no pod joins it. Throws `conflict` while pods or nats use it. */
async function close(tx: Prisma.TransactionClient, rid: string): Promise<void> {
  if (!(await lockNetwork(tx, rid))) return;
  const pods = (await countPods(tx, [rid])).get(rid) ?? 0;
  if (pods > 0) throw inUse(`${pods} pods use it`, "rid");
  const gateway = await tx.networkGateway.findFirst({ where: { networkId: rid }, select: { id: true } });
  if (gateway) throw inUse(`the nat ${gateway.id} is attached to it`, "rid");
  await tx.privateNetwork.update({ where: { id: rid }, data: { closed: true } });
}

/** Whether a change only adds subnets. */
function keepsAddresses(before: VpcSpec, after: VpcSpec): boolean {
  const kept = new Set(subnetsOf(after).map(({ name, cidr }) => `${name} ${cidr}`));
  return before.cidr === after.cidr && subnetsOf(before).every(({ name, cidr }) => kept.has(`${name} ${cidr}`));
}

const inUse = (why: string, param: string): ServiceError =>
  new ServiceError("conflict", `The vpc is in use: ${why}. Delete them first; subnets can be added at any time.`, {
    param,
    details: { reason: "has_dependents" },
  });

async function look(
  { db, sql }: GpucParts,
  all: readonly DesiredResource<VpcSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const ids = all.map(({ rid }) => rid);
  const rows = await db.privateNetwork.findMany({ where: { id: { in: ids } } });
  const [pods, fresh] = [await countPods(sql, ids), new Set((await reportingNodes(sql)).map(({ id }) => id))];
  return new Map(
    rows.map(({ id, cidr, subnets, runnerId }): [string, Observation] => {
      const named = (subnets as unknown as Subnet[]).map((subnet) => ({ id: `${id}/${subnet.name}`, ...subnet }));
      const observed = { network_id: id, cidr, subnets: named, pods: pods.get(id) ?? 0 };
      return [id, fresh.has(runnerId) ? { is: "present", observed } : { is: "faulty", observed, message: AWAY }];
    }),
  );
}

const AWAY = "The machine of the network does not report at present; its pods start when it does.";

const eligibleNodes = async ({ sql }: Pick<GpucParts, "sql">) =>
  (await reportingNodes(sql)).filter(({ hasNetworks }) => hasNetworks);

/** That with the most free memory. Throws `unavailable` if no machine has private networks at present. */
async function chooseNode({ db, sql }: GpucParts): Promise<string> {
  const [able, used] = [await eligibleNodes({ sql }), await usedRooms(db)];
  const free = (id: string, memoryMb: number) => memoryMb - (used.get(id)?.usedMb ?? 0);
  const [best] = able.sort((a, b) => free(b.id, b.memoryMb) - free(a.id, a.memoryMb));
  if (best) return best.id;
  throw new ServiceError("unavailable", NO_MACHINE.message, { details: { reason: NO_MACHINE.code } });
}

const NO_MACHINE: Blocker = {
  code: "needs_capability",
  message: "No machine of this installation can separate private networks.",
  remedy:
    "Run svc, or join a machine (svc node join), on Linux as root with iproute2 and the modules bridge and veth, with RUNTIME=namespaces.",
};
