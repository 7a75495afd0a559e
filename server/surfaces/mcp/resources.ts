import type { Resource } from "@modelcontextprotocol/server";
import { listGpuPools } from "../../cloud/compute/pools/list-gpu-pools";
import { getUsage } from "../../cloud/money/billing/get-usage";
import { listEventKinds } from "../../identity/events/list-event-kinds";
import { listEvents } from "../../identity/events/list-events";
import { listQuotas } from "../../identity/quotas/list-quotas";
import type { Actor } from "../../operation/actor";
import type { AnyOperation } from "../../operation/operation";

interface OperationResource extends Resource {
  operation: AnyOperation;
}

const JSON_TYPE = "application/json";
/** Changes with every event; agents can subscribe to it. */
export const EVENTS_URI = "svc://events";

/** What agents can read without a call of a tool: each is the output of an operation without arguments. */
const RESOURCES: readonly OperationResource[] = [
  {
    uri: "svc://quotas",
    name: "quotas",
    title: "Limits of the tenant, and how much of them is used",
    mimeType: JSON_TYPE,
    operation: listQuotas,
  },
  {
    uri: "svc://gpu-pools",
    name: "gpu-pools",
    title: "GPU models by region: capacity and prices",
    mimeType: JSON_TYPE,
    operation: listGpuPools,
  },
  {
    uri: "svc://usage",
    name: "usage",
    title: "What was used this month, and what it costs",
    mimeType: JSON_TYPE,
    operation: getUsage,
  },
  {
    uri: EVENTS_URI,
    name: "events",
    title: "The latest events",
    mimeType: JSON_TYPE,
    operation: listEvents,
  },
  {
    uri: "svc://event-kinds",
    name: "event-kinds",
    title: "Kinds of events that webhooks receive",
    mimeType: JSON_TYPE,
    operation: listEventKinds,
  },
];

/** The resources that an actor's scopes allow. */
export const resourcesFor = ({ scopes }: Actor): Resource[] =>
  RESOURCES.filter(({ operation }) => (scopes as ReadonlySet<string>).has(operation.access)).map(
    ({ operation: _, ...resource }) => resource,
  );

export const resourceAt = (uri: string): OperationResource | undefined => RESOURCES.find((one) => one.uri === uri);
