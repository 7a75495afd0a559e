import { formatCount, formatShare } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import type { Fill } from "../../components/meter";

export type Quota = Outputs["listQuotas"]["data"][number];

/** A limit on stored items, not on request rates. */
export type CountedQuota = Quota & { used: number };

export const isCounted = (quota: Quota): quota is CountedQuota => quota.used !== null;

/** Whether an operator has set a different limit for this tenant. */
export const isCustom = ({ limit, default_limit }: Pick<Quota, "limit" | "default_limit">): boolean =>
  limit !== default_limit;

/** "active_keys_per_project" as "Active keys per project". */
export function quotaName({ resource }: Pick<Quota, "resource">): string {
  const words = resource.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How close the limit is, as text for the meter's colour. */
export function fillText(fill: Fill, { used, limit }: { used: number; limit: number }): string {
  if (fill === "full") return "At the limit: no more can be created.";
  if (fill === "near") return `Nearly full: ${formatCount(limit - used)} left.`;
  return `${formatShare(limit > 0 ? used / limit : 1)} used`;
}
