import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Mode } from "../../../operation/actor";
import { gateOf, PLANE_DEFINITIONS, type PlanTier, type ServiceId } from "./planes";

interface ActivatedOwner extends ServiceId {
  tenantId: string;
  mode: Mode;
}

/** The tier with which a tenant has a service, null for one that needs no activation; undefined: it is not activated. */
export async function activeTier(
  tx: Prisma.TransactionClient,
  { tenantId, mode, ...of }: ActivatedOwner,
): Promise<PlanTier | null | undefined> {
  const gate = gateOf(of);
  if (!gate) return null;
  const { plane, service } = gate;
  const row = await tx.activation.findFirst({ where: { tenantId, mode, plane, service, endedAt: null } });
  return row ? (row.planTier as PlanTier) : undefined;
}

/** What is missing for a service that is not activated. */
export function notActivated(of: ServiceId) {
  const { plane, service } = gateOf(of) ?? of;
  const body = { ...(plane !== "gpuc" && { plane }), service };
  return {
    code: "not_activated" as const,
    message: `The service ${service} is not activated.`,
    remedy: `Activate it: POST /v1/activations ${bodyText(body)}, or ${PLANE_DEFINITIONS[plane].toolPrefix}activate.`,
  };
}

const bodyText = (body: object): string =>
  `{${Object.entries(body)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(", ")}}`;
