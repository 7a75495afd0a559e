import { z } from "zod";
import type { Plane } from "../../operation/actor";
import { type Tool, tool } from "../../operation/tool";
import { clusterTools } from "../compute/clusters/clusters.tools";
import { instanceTools } from "../compute/instances/instances.tools";
import { nodeEventTools } from "../compute/node-events/node-events.tools";
import { scopeOf } from "../core/planes/plane-scope";
import { tiersOf } from "../core/planes/planes";
import { activateService } from "../core/resources/activate-service";
import { deactivateService } from "../core/resources/deactivate-service";
import { listActivations } from "../core/resources/list-activations";
import { listServices } from "../core/resources/list-services";
import { toolsOf } from "../core/resources/tools-of-family";
import { FAMILIES } from "./cloud-families";
import { getResourceUsage } from "./get-resource-usage";
import { getSkuPrice } from "./get-sku-price";
import { listSkus } from "./list-skus";

const namesOf = (plane: Plane) =>
  FAMILIES.list().flatMap((family) => (family.plane === plane ? [family.service] : [])) as [string, ...string[]];

/** The tools with which a tenant activates the services of a plane. */
function activationTools(plane: Plane, prefix: string): Tool[] {
  const toInput = (given: Record<string, unknown>) => ({ plane, ...given });
  const service = z.enum(namesOf(plane));
  const tiers = tiersOf(plane) as [string, ...string[]];
  const write = scopeOf(plane, "write");
  return [
    tool(`${prefix}activations_list`, listActivations, { access: scopeOf(plane, "read"), toInput }),
    tool(`${prefix}activate service*:s plan_tier:s`, activateService, {
      access: write,
      fields: {
        service,
        plan_tier: z.enum(tiers).describe(`How many resources it may have; default ${tiers[0]}`),
      },
      toInput,
    }),
    tool(`${prefix}deactivate service*:s`, deactivateService, { access: write, fields: { service }, toInput }),
  ];
}

const ofPlane = (plane: Plane) => ({
  access: scopeOf(plane, "read"),
  fields: { service: z.enum(namesOf(plane)) },
  toInput: (given: Record<string, unknown>) => ({ plane, ...given }),
});

/** The tools of all families, and those that are about a plane. */
export const familyTools: readonly Tool[] = [
  tool("gpuc_skus category:s", listSkus, {
    access: scopeOf("gpuc", "read"),
    fields: { category: z.enum(namesOf("gpuc")) },
    toInput: (given: Record<string, unknown>) => ({ plane: "gpuc", ...given }),
  }),
  ...activationTools("gpuc", "gpuc_"),
  tool("gpuc_usage service:s since_days:i", getResourceUsage, {
    ...ofPlane("gpuc"),
    description:
      "Returns the seconds of instances and replicas of endpoints, and the capacity of shared volumes over time, deleted ones included. A key sees those of all projects of the tenant; buckets are metered as storage, see svc_billing_usage.",
  }),
  tool("edgec_services", listServices, {
    access: scopeOf("edge", "read"),
    toInput: () => ({ plane: "edge" }),
  }),
  tool("edgec_skus service:s", listSkus, {
    access: scopeOf("edge", "read"),
    toInput: ({ service }: Record<string, unknown>) => ({
      plane: "edge",
      ...(service !== undefined && { category: service }),
    }),
  }),
  tool("edgec_price service*:s sku*:s plan:s", getSkuPrice, {
    access: scopeOf("edge", "read"),
    fields: { plan: z.enum(["on_demand", ...tiersOf("edge")]) },
    toInput: (given: Record<string, unknown>) => ({ plane: "edge", ...given }),
  }),
  ...activationTools("edge", "edgec_"),
  tool("edgec_usage service:s limit:i", getResourceUsage, {
    access: scopeOf("edge", "read"),
    description: "Returns what resources of edge services used in 30 days; queue operations are in svc_billing_usage.",
    toInput: (given: Record<string, unknown>) => ({ plane: "edge", ...given }),
  }),
  ...FAMILIES.list().flatMap(toolsOf),
  ...instanceTools,
  ...clusterTools,
  ...nodeEventTools,
];
