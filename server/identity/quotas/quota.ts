import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import type { QuotaDefinition, UsageOf } from "../../operation/quota";
import { REQUESTS_PER_MINUTE } from "../../operation/request-rates";
import { activeAt } from "../active-keys";

/** The values that an operator may set for countable resources. */
export const COUNTABLE = { min: 0, max: 1_000_000_000 } as const;
export const notArchived = (tenantId: string) => ({ where: { tenantId, archivedAt: null } });

/**
 * The limits of the account system. Numbers that the specification does not give allow large tenants and stop runaway
 * clients.
 */
export const QUOTAS = {
  requests_per_minute: {
    resource: "requests_per_minute",
    unit: "requests per minute",
    description: "Sustained rate of calls to the platform API, per API key and per person",
    // Specification, "Limits".
    defaultLimit: REQUESTS_PER_MINUTE,
    liftable: { min: 1, max: 60_000_000 },
    used: null,
    remedy: "slow down",
  },
  projects: {
    resource: "projects",
    unit: "projects",
    description: "Projects that are not archived",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.project.count(notArchived(tenantId)),
    remedy: "archive one",
  },
  active_keys_per_project: {
    resource: "active_keys_per_project",
    unit: "keys",
    description:
      "API keys of one project that are neither revoked nor expired; the count is that of the project with the most keys",
    // Specification, "API key".
    defaultLimit: 100,
    liftable: null,
    used: keysOfFullestProject,
    remedy: "revoke one, or use another project",
  },
} as const satisfies Record<string, QuotaDefinition>;

export const Quota = z.object({
  resource: z.string().meta({ examples: ["projects"] }),
  limit: z.int(),
  used: z.int().nullable().describe("null for a rate"),
  default_limit: z.int(),
  unit: z.string(),
  description: z.string(),
  liftable: z.boolean().describe("Whether an operator can set another limit"),
});
export type Quota = z.output<typeof Quota>;

/** The error for adding one or more above the limit; it has no `retry_after`. */
export function quotaExceeded(quota: QuotaDefinition, limit = quota.defaultLimit, adding = 1): ServiceError {
  const { resource, unit } = quota;
  const reached =
    adding === 1 ? `The limit of ${limit} ${unit} is reached` : `${adding} more ${unit} exceed the limit of ${limit}`;
  return new ServiceError("quota_exceeded", `${reached}; ${remedyOf(quota)}.`, { details: { resource, limit } });
}

/** What a tenant can do when it reaches a limit, as the end of a sentence. */
export const remedyOf = ({ remedy, liftable }: QuotaDefinition): string =>
  liftable ? `${remedy}, or ask the operator of svc to raise the limit` : remedy;

async function keysOfFullestProject(tx: Prisma.TransactionClient, { tenantId, now }: UsageOf): Promise<number> {
  const [fullest] = await tx.apiKey.groupBy({
    by: ["projectId"],
    where: { tenantId, ...activeAt(now) },
    _count: { id: true },
    orderBy: { _count: { id: "desc" } },
    take: 1,
  });
  return fullest?._count.id ?? 0;
}
