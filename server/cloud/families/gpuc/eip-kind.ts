import { ServiceError } from "../../../kernel/errors";
import { assertScope } from "../../../operation/authorize";
import { readPublicPorts, releasePublicPort, takePublicPort } from "../../compute/public-ports/resource-ports";
import { type AuthorizeSpecCtx, type Kind, SELDOM_SECONDS } from "../../core/kinds/kind";
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
    await takePublicPort(parts(), desired);
    return (await readPublicPorts(parts(), [desired])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) => readPublicPorts(parts(), all),
  remove: (desired) => releasePublicPort(parts(), desired),
  suspend: (desired) => releasePublicPort(parts(), desired),
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
  { db, actor, owner: { tenantId, projectId, mode } }: AuthorizeSpecCtx,
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
