import type { Conversion } from "./conversion";

type Reason = NonNullable<Conversion["reason"]>;

export const ATTRIBUTIONS = ["click", "view", "none"] as const;

export const ATTRIBUTION_NAMES: Readonly<Record<Conversion["attribution"], string>> = {
  click: "after a click",
  view: "after a view",
  none: "not attributed",
};

const REASONS: Readonly<Record<Reason, string>> = {
  unknown_click: "No counted click of your campaigns has this click id.",
  outside_window: "The last click or view was longer ago than the campaign's window.",
  no_touch: "It named no click, and no user who clicked or saw an offer.",
};

/** Why an order counts for no campaign, as a sentence; undefined for one that does count. */
export const reasonOf = ({ reason }: Pick<Conversion, "reason">): string | undefined =>
  reason === null ? undefined : REASONS[reason];

/** What became of an order that was just reported, as one sentence. */
export function fateOf(
  { attribution, reason }: Pick<Conversion, "attribution" | "reason">,
  { campaign, duplicate }: { campaign: string; duplicate: boolean },
): string {
  const told = duplicate ? "This order had been reported before, and stays what it was: " : "It arrived: ";
  if (attribution !== "none") return `${told}it counts for ${campaign}, ${ATTRIBUTION_NAMES[attribution]}.`;
  const why = reasonOf({ reason }) ?? "";
  return `${told}it is kept, but counts for no campaign. ${why}`;
}
