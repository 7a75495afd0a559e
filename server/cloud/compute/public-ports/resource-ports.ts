import { createHash } from "node:crypto";
import { lockNameIn } from "../../../engines/postgres/named-lock";
import type { PublicPortRange } from "../../../engines/start-runtime";
import { ServiceError } from "../../../kernel/errors";
import { nanosOf } from "../../../kernel/money";
import type { DesiredResource, Observation } from "../../core/kinds/kind";
import { EIP_PRICE } from "../../core/prices/network-prices";
import type { PublicPortParts } from "./public-port-ctx";

/** What a port leads to; without a target connections are not accepted. */
interface LedTo {
  target?: string | undefined;
  target_port?: number | undefined;
}

/** Gives a resource a port unless it has one, and what that leads to. Throws `unavailable` (reason `no_ports`). */
export async function takePublicPort(
  { db, clock, publicPorts }: Pick<PublicPortParts, "db" | "clock" | "publicPorts">,
  desired: DesiredResource<LedTo>,
): Promise<void> {
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
function candidates({ first, last }: PublicPortRange, rid: string): number[] {
  const count = last - first + 1;
  const start = createHash("sha256").update(rid).digest().readUInt32BE(0) % count;
  return Array.from({ length: count }, (_, i) => first + ((start + i) % count));
}

/** Ends the use of the port; true when nothing listens any more. */
export async function releasePublicPort(
  { db, clock }: Pick<PublicPortParts, "db" | "clock">,
  { rid: resourceId }: Pick<DesiredResource, "rid">,
): Promise<boolean> {
  await db.publicPort.updateMany({ where: { resourceId, endedAt: null }, data: { endedAt: clock.now() } });
  return (await db.publicPort.count({ where: { resourceId, address: { not: null } } })) === 0;
}

/** What the ports of resources are, by the id of the resource. */
export async function readPublicPorts(
  { db, publicPorts }: Pick<PublicPortParts, "db" | "publicPorts">,
  all: readonly Pick<DesiredResource, "rid">[],
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

const noPort = (): ServiceError =>
  new ServiceError("unavailable", "All ports of the installation are taken; its operator sets PUBLIC_PORTS.", {
    details: { reason: "no_ports" },
  });
