import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ownerFields } from "../../identity/owner-fields";
import { decimalOf } from "../../kernel/money";
import { modeOf, PLANES, type Plane } from "../../operation/actor";
import { EXAMPLE_TIME, exampleId } from "../../operation/example";
import { operation } from "../cloud-operation";
import { readablePlanes } from "../core/planes/plane-scope";
import { serviceFilter } from "../core/resources/resource-fields";
import { Amount, SIMULATED } from "../money/billing/billing-fields";
import { sumNanos } from "../money/billing/usage";
import type { GpucCtx } from "./gpuc/gpuc-ctx";
import { type ResourceUsageRow, readResourceUsage } from "./resource-usage.sql";

const DAYS = 30;
const DAYS_MAX = 92;
const ROWS_MAX = 1000;
const DAY_MS = 24 * 3600 * 1000;

const ResourceUsage = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    currency: z.string(),
    simulated: z.boolean().describe(SIMULATED),
    total: Amount.describe("The exact sum of the amounts"),
    has_more: z.boolean().describe("There are more rows; the total is that of the rows shown"),
    data: z.array(
      z.object({
        rid: z.string(),
        project_id: z.string(),
        plane: z.enum(PLANES),
        service: z.string(),
        name: z.string(),
        quantity: z
          .string()
          .describe("Seconds in which it or its replicas ran, or a volume had the capacity of the price"),
        unit: z.literal("second"),
        price_per_hour: z.string(),
        amount: Amount,
        final: z.boolean().describe("false while it continues"),
        deleted: z.boolean(),
      }),
    ),
  })
  .meta({ id: "ResourceUsage" });

/** Returns what the resources of a tenant that have prices of their own used in the last days, and what that costs. */
export const getResourceUsage = operation({
  id: "getResourceUsage",
  summary: "Get the usage of resources",
  description:
    "The seconds of each instance and of the replicas of each inference endpoint, deleted ones included, that are on the invoices too, where they count as pods; those of a shared volume at each capacity that it had are on them as volumes. A key reads those of all projects of the tenant, because the bill is the tenant's. Buckets are metered as storage: see the usage of the account.",
  access: "plane:read",
  cost: "report",
  input: z.strictObject({
    ...serviceFilter,
    since_days: z.coerce
      .number()
      .int()
      .min(1)
      .max(DAYS_MAX)
      .default(DAYS)
      .describe(`So many days of 24 hours until now: 1 to ${DAYS_MAX}, default ${DAYS}`),
    limit: z.coerce.number().int().min(1).max(ROWS_MAX).default(ROWS_MAX).describe("Rows, those that cost most first"),
    mode: ownerFields.mode,
  }),
  output: ResourceUsage,
  example: {
    input: { service: "gpu", since_days: 7 },
    output: {
      from: "2026-11-13T09:00:00.000Z",
      to: EXAMPLE_TIME,
      currency: "USD",
      simulated: true,
      total: "3.837",
      has_more: false,
      data: [
        {
          rid: exampleId("res"),
          project_id: exampleId("prj"),
          plane: "gpuc" as const,
          service: "gpu",
          name: "notebook",
          quantity: "5400",
          unit: "second" as const,
          price_per_hour: "2.558",
          amount: "3.837",
          final: true,
          deleted: false,
        },
      ],
    },
  },
  run: async (
    { sql, actor, clock, currency }: ActorCtx & Pick<GpucCtx, "currency" | "sql">,
    { plane, service, since_days: days, limit: max, mode: asked },
  ) => {
    const planes = readablePlanes(actor, plane);
    const now = clock.now();
    const from = new Date(now.getTime() - days * DAY_MS);
    const mode = modeOf(actor, asked);
    const limit = max + 1;
    const found = await readResourceUsage(sql, { tenantId: actor.tenantId, mode, planes, service, from, now, limit });
    const rows = found.slice(0, max);
    return {
      from: from.toISOString(),
      to: now.toISOString(),
      currency,
      simulated: mode === "test",
      total: decimalOf(sumNanos(rows)),
      has_more: found.length > max,
      data: rows.map(toRow),
    };
  },
});

const toRow = ({ rid, projectId, service, name, ...row }: ResourceUsageRow) => ({
  rid,
  project_id: projectId,
  plane: row.plane as Plane,
  service,
  name,
  quantity: String(row.seconds),
  unit: "second" as const,
  price_per_hour: decimalOf(row.priceNanos),
  amount: decimalOf(row.amountNanos),
  final: row.isFinal,
  deleted: row.isDeleted,
});
