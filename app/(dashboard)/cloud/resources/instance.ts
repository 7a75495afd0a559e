import { formatRatePrice } from "../../../format/money";
import type { Resource } from "./resource";

const SERVICES: readonly string[] = ["gpu", "cpu", "baremetal"];

/** The last observation of an instance that has started once. */
export interface ObservedInstance {
  pod_id: string;
  status: string;
  waits_for: string | null;
  simulated_gpus: boolean;
  starts: number;
  metered_seconds: number;
  price_per_hour: string;
  currency: string;
}

export const isInstance = ({ plane, service }: Pick<Resource, "plane" | "service">): boolean =>
  plane === "gpuc" && SERVICES.includes(service);

/** undefined for other resources, and for an instance that never started. */
export function observedInstance(
  resource: Pick<Resource, "plane" | "service" | "observed">,
): ObservedInstance | undefined {
  const observed = resource.observed as Partial<ObservedInstance> | null;
  return isInstance(resource) && observed?.pod_id !== undefined ? (observed as ObservedInstance) : undefined;
}

/** Whether an instance is to run; undefined where it can neither be stopped nor started. */
export function runsOf(resource: Pick<Resource, "plane" | "service" | "state" | "spec">): boolean | undefined {
  const { state, spec } = resource;
  if (!isInstance(resource) || state === "placeholder" || state === "deleting" || state === "suspended")
    return undefined;
  return spec.running !== false;
}

/** "$2.558 per hour". */
export const priceText = ({
  price_per_hour,
  currency,
}: Pick<ObservedInstance, "price_per_hour" | "currency">): string =>
  `${formatRatePrice(Number(price_per_hour), currency)} per hour`;
