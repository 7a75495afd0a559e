import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const GPUC_QUOTAS = {
  public_ports: {
    resource: "public_ports",
    unit: "public ports",
    description: "TCP ports of the installation (resources of the kind eip), of all projects and both modes",
    defaultLimit: 50,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) =>
      tx.resource.count({
        where: {
          tenantId,
          plane: "gpuc",
          service: "net",
          kind: "eip",
          archivedAt: null,
          state: { not: "placeholder" },
        },
      }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
