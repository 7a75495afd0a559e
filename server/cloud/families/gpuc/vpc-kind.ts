import { ServiceError } from "../../../kernel/errors";
import { chooseNetworkNode, networkNodes } from "../../compute/placement/network-nodes";
import { reportingNodes } from "../../compute/placement/pod-nodes.sql";
import type { Blocker, DesiredResource, Kind, Observation } from "../../core/kinds/kind";
import { holdGeneration } from "../../core/records/hold-generation";
import { changeNetwork, closeNetwork, toColumns } from "../../net/private-networks/change-network";
import { hostsOf, parseCidr } from "../../net/private-networks/cidr";
import { countPods, hasRuns, type Subnet } from "../../net/private-networks/networks.sql";
import type { GpucParts } from "./gpuc-ctx";
import { subnetsOf, VpcSpec } from "./network-spec";

/** A private network: a row here, and on its node a bridge from the first start of a pod to the end of the last. */
export const vpcKind = (parts: () => GpucParts): Kind<VpcSpec> => ({
  spec: VpcSpec,
  blockerOf: async () => ((await networkNodes(parts().sql)).length > 0 ? undefined : NO_NODE),
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
  beginChange: (tx, { rid: id, spec }, after) =>
    changeNetwork(tx, { id, before: addressesOf(spec), after: addressesOf(after) }),
  beginRemoval: (tx, { rid }) => closeNetwork(tx, rid),
  provision: async (desired) => {
    const { db } = parts();
    const { rid: id, generation, spec, tenantId, projectId, mode, createdAt } = desired;
    const found = await db.privateNetwork.findUnique({ where: { id } });
    const nodeId = found?.nodeId ?? (await chooseNetworkNode(parts()));
    if (nodeId === undefined) throw noNode();
    const settings = { ...toColumns(addressesOf(spec)), closed: false };
    const network = { id, tenantId, projectId, mode, nodeId, createdAt };
    await db.$transaction(async (tx) => {
      // A change that was committed meanwhile has set its addresses already.
      if (!(await holdGeneration(tx, { id, generation }))) return;
      await tx.privateNetwork.upsert({ where: { id }, create: { ...network, ...settings }, update: settings });
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

const addressesOf = (spec: VpcSpec) => ({ cidr: spec.cidr, subnets: subnetsOf(spec) });

async function look(
  { db, sql }: GpucParts,
  all: readonly DesiredResource<VpcSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const ids = all.map(({ rid }) => rid);
  const rows = await db.privateNetwork.findMany({ where: { id: { in: ids } } });
  const [pods, fresh] = [await countPods(sql, ids), new Set((await reportingNodes(sql)).map(({ id }) => id))];
  return new Map(
    rows.map(({ id, cidr, subnets, nodeId }): [string, Observation] => {
      const named = (subnets as unknown as Subnet[]).map((subnet) => ({ id: `${id}/${subnet.name}`, ...subnet }));
      const observed = { network_id: id, cidr, subnets: named, pods: pods.get(id) ?? 0 };
      return [id, fresh.has(nodeId) ? { is: "present", observed } : { is: "faulty", observed, message: AWAY }];
    }),
  );
}

const AWAY = "The node of the network does not report at present; its pods start when it does.";

const NO_NODE: Blocker = {
  code: "needs_capability",
  message: "No node of this installation can separate private networks.",
  remedy:
    "Run svc, or join a node (svc node join), on Linux as root with iproute2 and the modules bridge and veth, with RUNTIME=namespaces.",
};

const noNode = () => new ServiceError("unavailable", NO_NODE.message, { details: { reason: NO_NODE.code } });
