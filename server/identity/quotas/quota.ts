import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { activeAt } from "../api-keys/api-key";

interface QuotaFields {
  unit: string;
  description: string;
  defaultLimit: number;
  /** What an operator may set; null: the limit is fixed. */
  liftable: { min: number; max: number } | null;
  /** How much a tenant has of it now; null: a rate, of which nothing is used up. */
  used: ((tx: Prisma.TransactionClient, of: UsageOf) => Promise<number>) | null;
  /** What to do when it is used up. */
  remedy: string;
}

interface UsageOf {
  tenantId: string;
  now: Date;
}

const COUNTABLE = { min: 0, max: 1_000_000_000 } as const;
const livingOf = (tenantId: string) => ({ where: { tenantId, archivedAt: null } });

/** Every limit of a tenant. The numbers without a source in the specification are ours: room for large, a stop for runaways. */
export const QUOTAS = {
  requests_per_minute: {
    unit: "requests per minute",
    description: "Sustained rate of calls to the platform API, for each API key and each person",
    // Specification, "Limits".
    defaultLimit: 600,
    liftable: { min: 1, max: 60_000_000 },
    used: null,
    remedy: "slow down",
  },
  projects: {
    unit: "projects",
    description: "Projects that are not archived",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.project.count(livingOf(tenantId)),
    remedy: "archive one",
  },
  active_keys_per_project: {
    unit: "keys",
    description: "API keys of one project that are neither revoked nor expired; used counts the fullest project",
    // Specification, "API key".
    defaultLimit: 100,
    liftable: null,
    used: keysOfFullestProject,
    remedy: "revoke one, or use another project",
  },
  channels: {
    unit: "channels",
    description: "Channels that are not archived, of both modes",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.channel.count(livingOf(tenantId)),
    remedy: "archive one",
  },
  advertisers: {
    unit: "advertisers",
    description: "Advertisers that are not archived",
    defaultLimit: 1000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.advertiser.count(livingOf(tenantId)),
    remedy: "archive one",
  },
  campaigns: {
    unit: "campaigns",
    description: "Campaigns that are not archived, of both modes",
    defaultLimit: 10_000,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.campaign.count(livingOf(tenantId)),
    remedy: "archive one",
  },
} as const satisfies Record<string, QuotaFields>;

export type QuotaResource = keyof typeof QUOTAS;

export const QUOTA_RESOURCES = Object.keys(QUOTAS) as [QuotaResource, ...QuotaResource[]];
export const QuotaName = z.enum(QUOTA_RESOURCES);

/** The same fields for every resource, whatever the literal above says of each. */
export const quotaFields = (resource: QuotaResource): QuotaFields => QUOTAS[resource];

export const Quota = z.object({
  resource: QuotaName,
  limit: z.int(),
  used: z.int().nullable().describe("null for a rate"),
  default_limit: z.int(),
  unit: z.string(),
  description: z.string(),
  liftable: z.boolean().describe("Whether an operator can set another limit"),
});
export type Quota = z.output<typeof Quota>;

/** The refusal of what would be one too many; it never says when to retry. */
export function quotaExceeded(resource: QuotaResource, limit = quotaFields(resource).defaultLimit): ServiceError {
  const { unit, liftable, remedy } = quotaFields(resource);
  const ask = liftable ? ", or ask the operator of svc to lift the limit" : "";
  return new ServiceError("quota_exceeded", `The limit of ${limit} ${unit} is reached; ${remedy}${ask}.`, {
    details: { resource, limit },
  });
}

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
