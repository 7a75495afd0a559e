import type { Pool } from "pg";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { canRun, type NeededAbilities, reaches, runsMode } from "./eligible-nodes";
import { reportingNodes } from "./pod-nodes.sql";
import { requireRealGpus } from "./require-real-gpus";

interface RuntimeCtx {
  db: Pick<PrismaClient, "tenant" | "$queryRaw">;
  sql: Pick<Pool, "query">;
  /** What this process runs of pods. */
  podRuns: { offReason?: string | undefined; whenTried: () => Promise<void> };
}

interface NeededRuntime extends NeededAbilities {
  tenantId: string;
  gpu: string | null;
  region: string | null;
}

/**
 * Throws `unavailable` if pods cannot run: with the reason `no_capacity` for GPUs in live mode that no node of this
 * installation has, `ports_unsupported` for ports where no node can reach them, `volume_unsupported` for a volume where
 * none keeps them, and `no_runtime` if no node can run workloads, or none with the isolation that pods of live keys need.
 * Throws `forbidden` (`tenant_not_admitted`) if only nodes for admitted tenants can, and this is none.
 */
export async function requireRuntime(
  { db, sql, podRuns }: RuntimeCtx,
  { gpu, region, ...needed }: NeededRuntime,
): Promise<void> {
  if (needed.mode === "live" && gpu !== null && region !== null) await requireRealGpus(db, { gpu, region });
  const isAble = async () => {
    const able = (await reportingNodes(sql)).filter((node) => canRun(node, needed));
    if (able.length > 0 && able.every(({ admittedOnly }) => admittedOnly)) await assertAdmitted(db, needed.tenantId);
    return able.length > 0;
  };
  if (await isAble()) return;
  // A process that has just started may still be trying its runtimes.
  await podRuns.whenTried();
  if (await isAble()) return;
  const nodes = await reportingNodes(sql);
  const running = nodes.filter((node) => runsMode(node, needed.mode));
  if (running.length > 0)
    throw running.some((node) => reaches(node, needed)) ? volumeUnsupported() : portsUnsupported();
  const reasons = nodes.flatMap(({ reason }) => reason ?? []);
  throw new ServiceError("unavailable", reasons[0] ?? podRuns.offReason ?? NO_WORKER, {
    details: { reason: "no_runtime", reasons: [...new Set(reasons)] },
  });
}

/** Throws `forbidden`. */
async function assertAdmitted(db: Pick<PrismaClient, "tenant">, id: string): Promise<void> {
  const tenant = await db.tenant.findUnique({ where: { id }, select: { admittedAt: true } });
  if (tenant?.admittedAt) return;
  throw new ServiceError(
    "forbidden",
    `Programs of this tenant may not run on the machine of svc until an operator has admitted it: svc admin admit-tenant ${id}.`,
    { details: { reason: "tenant_not_admitted" } },
  );
}

const portsUnsupported = (): ServiceError =>
  new ServiceError(
    "unavailable",
    "Pods of this installation have no network, so their ports cannot be reached; omit ports.",
    { param: "ports", details: { reason: "ports_unsupported" } },
  );

const volumeUnsupported = (): ServiceError =>
  new ServiceError("unavailable", "No node that could run this pod keeps volumes; omit volume.", {
    param: "volume",
    details: { reason: "volume_unsupported" },
  });

const NO_WORKER = "No process of svc that runs workloads (ROLE=worker) is running at present.";
