import type { ReadonlyURLSearchParams } from "next/navigation";
import { DELIVERY_STATUSES } from "./delivery";

const HOUR_MS = 3_600_000;

/** Time ranges that end now. */
export const RANGES = [
  { value: "", label: "30 days", ms: undefined },
  { value: "1h", label: "1 hour", ms: HOUR_MS },
  { value: "24h", label: "24 hours", ms: 24 * HOUR_MS },
  { value: "7d", label: "7 days", ms: 7 * 24 * HOUR_MS },
] as const;

/** The filters of the deliveries in the URL, so that they can be shared; an empty text means no filter. */
export interface DeliveryFilter {
  status: "" | (typeof DELIVERY_STATUSES)[number];
  kind: string;
  range: (typeof RANGES)[number]["value"];
}

const KIND = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/;

/** Parses the filters in a URL; malformed values are ignored. */
export function parseDeliveryFilter(params: URLSearchParams | ReadonlyURLSearchParams): DeliveryFilter {
  const kind = params.get("kind") ?? "";
  return {
    status: DELIVERY_STATUSES.find((status) => status === params.get("status")) ?? "",
    kind: KIND.test(kind) ? kind : "",
    range: RANGES.find(({ value }) => value === params.get("range"))?.value ?? "",
  };
}

export const isFiltered = (filter: DeliveryFilter): boolean => Object.values(filter).some((value) => value !== "");

/** The filters as the API's input. */
export function toListInput({ status, kind, range }: DeliveryFilter, now: Date) {
  const ms = RANGES.find(({ value }) => value === range)?.ms;
  return {
    ...(status && { status }),
    ...(kind && { event_type: kind }),
    ...(ms !== undefined && { from: new Date(now.getTime() - ms).toISOString() }),
  };
}
