import { formatCount } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import type { Resource } from "./resource";

export type ResourceKind = Outputs["listResourceKinds"]["data"][number];
export type Activation = Outputs["listActivations"]["data"][number];
export type ServiceName = ResourceKind["service"];
export type Tier = Activation["plan_tier"];

interface ServiceText {
  label: string;
  /** What its resources give. */
  gives: string;
}

/** In the order of the page. */
export const SERVICES: Readonly<Record<ServiceName, ServiceText>> = {
  gpu: { label: "GPU instances", gives: "Machines with GPUs that run until you stop them." },
  cpu: { label: "CPU instances", gives: "Machines without GPUs that run until you stop them." },
  baremetal: { label: "Baremetal instances", gives: "All GPUs of a node for one instance." },
  object: { label: "Object storage", gives: "Buckets with the S3 API." },
  dfs: { label: "Distributed file system", gives: "Volumes with the same files in several pods and instances." },
  net: { label: "Networks", gives: "Isolated networks and addresses for pods and instances." },
  cks: { label: "Kubernetes", gives: "Clusters that you use with kubectl." },
  sunk: { label: "Slurm on Kubernetes", gives: "Batch jobs with Slurm in a cluster." },
  flc: { label: "Fleet upgrades", gives: "Upgrades of the nodes that your baremetal instances have for themselves." },
  nlc: { label: "Node health", gives: "Health events of your own nodes, which move instances away from faulty ones." },
  observe: {
    label: "Observability stores",
    gives: "Stores of metrics, logs and traces that OpenTelemetry exporters send.",
  },
  inference: { label: "Inference", gives: "Endpoints that serve a model with OpenAI's API." },
  tensorizer: { label: "Tensorizer", gives: "Jobs that convert models and split them into shards." },
};
/** It is activated like the others, but has events instead of resources. */
export const WITHOUT_RESOURCES: readonly ServiceName[] = ["nlc"];
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** A choice of the URL or of a form as a service; undefined for anything else. */
export const serviceIn = (text: string | null): ServiceName | undefined => SERVICE_NAMES.find((one) => one === text);

/** With how many resources of a service a tenant can have in one mode. */
export const TIERS = [
  { value: "starter", label: "Starter", resourcesMax: 10 },
  { value: "business", label: "Business", resourcesMax: 100 },
  { value: "enterprise", label: "Enterprise", resourcesMax: 1000 },
] as const satisfies readonly { value: Tier; label: string; resourcesMax: number }[];

export const TIER_CHOICES = TIERS.map(({ value, label, resourcesMax }) => ({
  ...{ value, label },
  hint: `At most ${formatCount(resourcesMax)} resources of the service in this mode.`,
}));

export const tierLabel = (tier: Tier): string => TIERS.find(({ value }) => value === tier)?.label ?? tier;

/** How many resources of a service there are, and how many of them are only planned. */
export interface Counted {
  resources: number;
  planned: number;
}

export function countOf(resources: readonly Resource[], service: ServiceName): Counted {
  const own = resources.filter((one) => one.service === service);
  const planned = own.filter(({ state }) => state === "placeholder").length;
  return { resources: own.length - planned, planned };
}
