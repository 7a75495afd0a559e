import { z } from "zod";
import { PLANES } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { Family } from "../kinds/family";
import { readablePlanes } from "../planes/plane-scope";
import { gateOf, PLAN_TIERS, type PlanTier, resourcesMaxOf, tiersOf } from "../planes/planes";
import type { ResourceCtx } from "../records/resource-ctx";
import { serviceFilter } from "./resource-fields";

const Service = z
  .object({
    plane: z.enum(PLANES),
    service: z.string(),
    label: z.string(),
    summary: z.string().describe("What its resources give"),
    kinds: z.array(z.string()).describe("Of its resources, the default first; empty: it has none"),
    activation: z
      .object({ plane: z.enum(PLANES), service: z.string() })
      .nullable()
      .describe("What must be activated before its resources are provisioned; null: nothing"),
    tiers: z.array(z.object({ plan_tier: z.enum(PLAN_TIERS), resources_max: z.int() })),
    provisionable: z.boolean().describe("false: its resources are placeholders, and nothing of it is charged"),
    reason: z
      .object({ code: z.string(), message: z.string(), remedy: z.string() })
      .nullable()
      .describe("Why it is not provisionable, and what to do instead; otherwise null"),
    meters: z.array(z.string()).describe("As what its use is on invoices; empty: it costs nothing"),
  })
  .meta({ id: "Service" });

/** Lists the services of the planes that the caller may read. */
export const listServices = operation({
  id: "listServices",
  summary: "List services",
  description:
    "Each can be activated, with its plan tiers; `provisionable` says whether this installation can provision its resources.",
  access: "plane:read",
  input: z.strictObject({ plane: serviceFilter.plane }),
  output: z.object({ data: z.array(Service) }),
  example: {
    input: { plane: "gpuc" as const },
    output: {
      data: [
        {
          plane: "gpuc" as const,
          service: "object",
          label: "Object storage",
          summary: "Buckets with the S3 API.",
          kinds: ["bucket"],
          activation: { plane: "gpuc" as const, service: "object" },
          tiers: [{ plan_tier: "starter" as const, resources_max: 10 }],
          provisionable: true,
          reason: null,
          meters: ["storage"],
        },
      ],
    },
  },
  run: async ({ families, actor }: ResourceCtx, { plane }) => {
    const planes = readablePlanes(actor, plane);
    return {
      data: families
        .list()
        .filter((family) => planes.includes(family.plane))
        .map(toService),
    };
  },
});

const toService = ({ plane, service, label, summary, kinds, meters, quotaPerTier, blocker }: Family) => ({
  plane,
  service,
  label,
  summary,
  kinds: Object.keys(kinds),
  activation: gateOf({ plane, service }) ?? null,
  tiers: tiersOf(plane).map((tier: PlanTier) => ({
    plan_tier: tier,
    resources_max: resourcesMaxOf(plane, tier, quotaPerTier),
  })),
  provisionable: blocker === undefined,
  reason: blocker ?? null,
  meters: [...meters],
});
