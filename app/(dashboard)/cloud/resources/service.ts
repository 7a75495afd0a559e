import { formatCount } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import type { Resource } from "./resource";

export type Service = Outputs["listServices"]["data"][number];
export type ServiceId = Pick<Service, "plane" | "service">;
export type Plane = Service["plane"];
export type ResourceKind = Outputs["listResourceKinds"]["data"][number];
export type Activation = Outputs["listActivations"]["data"][number];
export type Tier = Activation["plan_tier"];

/** In the order of the page. */
export const PLANE_LABELS: Readonly<Record<Plane, string>> = {
  gpuc: "Compute and infrastructure",
  edge: "Edge",
  obs: "Observability",
  shield: "Security",
};

/** A choice of the URL as a plane; compute for anything else. */
export const planeIn = (text: string | null): Plane =>
  (Object.keys(PLANE_LABELS) as Plane[]).find((one) => one === text) ?? "gpuc";

/** A text for both parts, as a key of a list or the value of a choice. */
export const keyOf = ({ plane, service }: ServiceId): string => `${plane}/${service}`;

export const isSame = (one: ServiceId, other: ServiceId): boolean => keyOf(one) === keyOf(other);

/** Whether a service has an activation of its own. */
export const hasOwnActivation = ({ activation, ...service }: Service): boolean =>
  activation !== null && isSame(activation, service);

/** What is known of the services of a plane; `resources` is undefined while they load. */
export interface Use {
  activations: readonly Activation[];
  resources: readonly ServiceId[] | undefined;
}

/** Whether a service can be used or is used already; others are only planned. */
export const isInUse = (service: Service, { activations, resources = [] }: Use): boolean =>
  service.provisionable ||
  (hasOwnActivation(service) && activations.some((one) => isSame(one, service))) ||
  resources.some((one) => isSame(one, service));

const TIER_LABELS: Readonly<Record<Tier, string>> = {
  starter: "Starter",
  free: "Free",
  pro: "Pro",
  business: "Business",
  enterprise: "Enterprise",
};

export const tierLabel = (tier: Tier): string => TIER_LABELS[tier];

/** The tiers of a service, with how many resources a tenant can have in one mode. */
export const tierChoices = ({ tiers }: Pick<Service, "tiers">) =>
  tiers.map(({ plan_tier: value, resources_max: max }) => ({
    value,
    label: tierLabel(value),
    hint: `At most ${formatCount(max)} resources of the service in this mode.`,
  }));

/** How many resources of a service there are, and how many of them are only planned. */
export interface Counted {
  resources: number;
  planned: number;
}

export function countOf(resources: readonly Resource[], of: ServiceId): Counted {
  const own = resources.filter((one) => isSame(one, of));
  const planned = own.filter(({ state }) => state === "placeholder").length;
  return { resources: own.length - planned, planned };
}
