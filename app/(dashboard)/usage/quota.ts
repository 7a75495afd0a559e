import type { Fill } from "../../components/meter";
import { formatCount, formatShare } from "../../format/numbers";
import type { Outputs } from "../../trpc/client";

export type Quota = Outputs["usage"]["quotas"]["data"][number];

/** A limit on what a tenant keeps, rather than on how often it asks. */
export type CountedQuota = Quota & { used: number };

export const isCounted = (quota: Quota): quota is CountedQuota => quota.used !== null;

/** Whether an operator gave this tenant another limit than others have. */
export const isLifted = ({ limit, default_limit }: Pick<Quota, "limit" | "default_limit">): boolean =>
  limit !== default_limit;

/** "active_keys_per_project" as "Active keys per project". */
export function quotaName({ resource }: Pick<Quota, "resource">): string {
  const words = resource.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How near the limit is, in words; the colour of a meter says the same. */
export function fillText(fill: Fill, { used, limit }: { used: number; limit: number }): string {
  if (fill === "full") return "At the limit: nothing more can be created.";
  if (fill === "near") return `Nearly full: room for ${formatCount(limit - used)} more.`;
  return `${formatShare(limit > 0 ? used / limit : 1)} used`;
}
