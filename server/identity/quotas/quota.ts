import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import type { QuotaDefinition } from "../../operation/quota";

/** The values that an operator may set for countable resources. */
export const COUNTABLE = { min: 0, max: 1_000_000_000 } as const;
export const notArchived = (tenantId: string) => ({ where: { tenantId, archivedAt: null } });

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
