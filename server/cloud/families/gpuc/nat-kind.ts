import { ServiceError } from "../../../kernel/errors";
import { type DesiredResource, type Kind, type Observation, SELDOM_SECONDS } from "../../core/kinds/kind";
import type { GpucParts } from "./gpuc-ctx";
import { NatSpec } from "./network-spec";

/** Lets the pods of a vpc reach public addresses. */
export const natKind = (parts: () => GpucParts): Kind<NatSpec> => ({
  spec: NatSpec,
  driftSeconds: SELDOM_SECONDS,
  authorizeSpec: async ({ db, owner }, { network }) => {
    if (network !== undefined) return;
    const found = await db.privateNetwork.count({ where: owner });
    if (found !== 1) throw missing(found === 0 ? NO_VPC : SEVERAL);
  },
  plan: ({ network, egress }) => [
    {
      step: "egress",
      what: `Pods of ${network ?? "the vpc of the project"} ${egress ? "reach" : "do not reach"} public addresses by HTTP and HTTPS`,
      proof: "A program in a pod of it requests a public URL",
    },
  ],
  provision: async (desired) => {
    const { db } = parts();
    const { rid: id, tenantId, spec } = desired;
    const found = await db.networkGateway.findUnique({ where: { id } });
    const networkId =
      spec.network ?? (await keptNetwork(parts(), found?.networkId)) ?? (await onlyNetwork(parts(), desired));
    const settings = { networkId, egress: spec.egress };
    if (!(await db.privateNetwork.findFirst({ where: { id: networkId, ...ownerOf(desired) } })))
      throw missing(noSuch(networkId));
    await db.networkGateway.upsert({ where: { id }, create: { id, tenantId, ...settings }, update: settings });
    return observationOf(settings);
  },
  observe: async (all) => {
    const rows = await parts().db.networkGateway.findMany({ where: { id: { in: all.map(({ rid }) => rid) } } });
    return new Map(rows.map((row) => [row.id, observationOf(row)]));
  },
  remove: async ({ rid: id }) => {
    const { db } = parts();
    await db.networkGateway.deleteMany({ where: { id } });
    return true;
  },
  suspend: async ({ rid: id }) => {
    const { db } = parts();
    await db.networkGateway.deleteMany({ where: { id } });
    return true;
  },
});

const observationOf = ({ networkId, egress }: { networkId: string; egress: boolean }): Observation => ({
  is: "present",
  observed: { network: networkId, egress },
});

const ownerOf = ({ tenantId, projectId, mode }: DesiredResource) => ({ tenantId, projectId, mode });

/** The network that it has, unless that was deleted. */
async function keptNetwork({ db }: Pick<GpucParts, "db">, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  return (await db.privateNetwork.findUnique({ where: { id } }))?.id;
}

/** Throws `unprocessable` unless the project has one network. */
async function onlyNetwork({ db }: Pick<GpucParts, "db">, desired: DesiredResource): Promise<string> {
  const [only, another] = await db.privateNetwork.findMany({ where: ownerOf(desired), take: 2 });
  if (only && !another) return only.id;
  throw missing(only ? SEVERAL : NO_VPC);
}

const NO_VPC = "The project has no vpc in this mode: create one first.";
const SEVERAL = "The project has several vpcs: name one of them as network, with POST /v1/resources.";
const noSuch = (network: string): string => `The project has no vpc with the id "${network}" in this mode.`;

const missing = (message: string): ServiceError =>
  new ServiceError("unprocessable", message, { param: "spec.network", details: { reason: "target_missing" } });
