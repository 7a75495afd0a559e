import { createHash } from "node:crypto";
import { lockNameIn } from "../../../engines/postgres/named-lock";
import { ServiceError } from "../../../kernel/errors";
import { nanosOf } from "../../../kernel/money";
import { assertScope } from "../../../operation/authorize";
import {
  type AuthorizeSpecCtx,
  type DesiredResource,
  type Kind,
  type Observation,
  SELDOM_SECONDS,
} from "../../core/kinds/kind";
import { EIP_PRICE } from "../../core/prices/network-prices";
import { GPUC_QUOTAS } from "./gpuc.quotas";
import type { GpucParts } from "./gpuc-ctx";
import { EipSpec } from "./network-spec";

/** A TCP port of the installation that leads to a pod. */
export const eipKind = (parts: () => GpucParts): Kind<EipSpec> => ({
  spec: EipSpec,
  driftSeconds: SELDOM_SECONDS,
  authorizeSpec: admitTarget,
  quota: GPUC_QUOTAS.public_ports,
  plan: ({ target, target_port: port }) => [
    {
      step: "port",
      what: "A TCP port of the installation, the same until it is deleted",
      proof: "A TCP client connects to it",
    },
    ...(target === undefined
      ? []
      : [
          {
            step: "pass",
            what: `Connections reach port ${port} of ${target}`,
            proof: "The program in it receives them",
          },
        ]),
  ],
  provision: async (desired) => {
    await takePort(parts(), desired);
    return (await look(parts(), [desired])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) => look(parts(), all),
  remove: (desired) => release(parts(), desired),
  suspend: (desired) => release(parts(), desired),
  endpoints: (_wanted, { address }) =>
    typeof address === "string" ? [{ protocol: "tcp", url: `tcp://${address}` }] : [],
  tryIt: (_wanted, { address }) =>
    typeof address === "string" ? [{ title: "Connect to it", command: `nc ${address.replace(/:(\d+)$/, " $1")}` }] : [],
});

/**
 * Throws for a target that is not in the same project and mode, and for a port that its spec does not name: programs may listen
 * on their loopback interface for themselves. Who may not connect to a pod must not make its port public; an instance is of
 * the same scope as this resource.
 */
async function admitTarget(
  { db, actor, place: { tenantId, projectId, mode } }: AuthorizeSpecCtx,
  { target, target_port: port }: EipSpec,
  before?: EipSpec,
): Promise<void> {
  if (target === undefined || port === undefined) return;
  const where = { tenantId, projectId, mode, kind: "pod" as const, deletedAt: null };
  const pod = await db.pod.findFirst({ where: { ...where, OR: [{ id: target }, { resourceId: target }] } });
  if (!pod) throw noTarget(target);
  if (before?.target === target && before.target_port === port) return;
  if (pod.resourceId === null) assertScope(actor, "pods:write");
  if (!pod.ports.includes(port)) throw notDeclared(port, pod);
}

/** Ends the use of the port; true when nothing listens any more. */
async function release({ db, clock }: GpucParts, { rid: resourceId }: DesiredResource<EipSpec>): Promise<boolean> {
  await db.publicPort.updateMany({ where: { resourceId, endedAt: null }, data: { endedAt: clock.now() } });
  return (await db.publicPort.count({ where: { resourceId, address: { not: null } } })) === 0;
}

/** Gives the resource a port unless it has one, and what that leads to. */
async function takePort({ db, clock, publicPorts }: GpucParts, desired: DesiredResource<EipSpec>): Promise<void> {
  const { rid: resourceId, tenantId, projectId, mode, spec } = desired;
  const led = { target: spec.target ?? null, targetPort: spec.target_port ?? null };
  await db.$transaction(async (tx) => {
    await lockNameIn(tx, "choice of public ports");
    const updated = await tx.publicPort.updateMany({ where: { resourceId, endedAt: null }, data: led });
    if (updated.count > 0) return;
    const before = await tx.publicPort.findFirst({ where: { resourceId }, orderBy: { startedAt: "desc" } });
    const taken = new Set((await tx.publicPort.findMany({ where: { endedAt: null } })).map(({ port }) => port));
    const port = [...(before ? [before.port] : []), ...candidates(publicPorts, resourceId)].find(
      (one) => !taken.has(one),
    );
    if (port === undefined) throw noPort();
    const data = { resourceId, tenantId, projectId, mode, port, ...led, startedAt: clock.now() };
    await tx.publicPort.create({ data: { ...data, priceNanosPerHour: nanosOf(EIP_PRICE) } });
  });
}

/** All ports, from one that follows from the id. */
function candidates({ first, last }: GpucParts["publicPorts"], rid: string): number[] {
  const count = last - first + 1;
  const start = createHash("sha256").update(rid).digest().readUInt32BE(0) % count;
  return Array.from({ length: count }, (_, i) => first + ((start + i) % count));
}

async function look(
  { db, publicPorts }: GpucParts,
  all: readonly DesiredResource<EipSpec>[],
): Promise<ReadonlyMap<string, Observation>> {
  const resourceIds = all.map(({ rid }) => rid);
  const rows = await db.publicPort.findMany({ where: { resourceId: { in: resourceIds }, endedAt: null } });
  return new Map(
    rows.map(({ resourceId, port, target, targetPort, address, failure }): [string, Observation] => {
      const observed = { host: publicPorts.host, port, target, target_port: targetPort, address };
      if (failure !== null) return [resourceId, { is: "faulty", observed, message: failure }];
      return [resourceId, { is: target !== null && address === null ? "changing" : "present", observed }];
    }),
  );
}

const noTarget = (target: string): ServiceError =>
  new ServiceError("unprocessable", `There is no pod or instance with the id "${target}" in this project and mode.`, {
    param: "spec.target",
    details: { reason: "target_missing" },
  });

function notDeclared(
  port: number,
  { ports, resourceId }: { ports: number[]; resourceId: string | null },
): ServiceError {
  const known = ports.length === 0 ? "it has none" : `its ports are ${ports.join(", ")}`;
  const text =
    resourceId === null
      ? `the pod was created without the port ${port}; ${known}.`
      : `the instance does not have ${port} in the ports of its spec; ${known}. Add the port there first.`;
  return new ServiceError("unprocessable", `spec.target_port: ${text}`, {
    param: "spec.target_port",
    details: { reason: "port_not_declared", ports },
  });
}

const noPort = (): ServiceError =>
  new ServiceError("unavailable", "All ports of the installation are taken; its operator sets PUBLIC_PORTS.", {
    details: { reason: "no_ports" },
  });
