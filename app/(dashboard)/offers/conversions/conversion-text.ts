import type { Conversion } from "./conversion";

type Reason = NonNullable<Conversion["reason"]>;

export const ATTRIBUTIONS = ["click", "view", "none"] as const;

export const ATTRIBUTION_NAMES: Readonly<Record<Conversion["attribution"], string>> = {
  click: "after a click",
  view: "after a view",
  none: "not attributed",
};

const REASONS: Readonly<Record<Reason, string>> = {
  unknown_click: "No counted click of your campaigns has this click ID.",
  outside_window: "The last click or view was longer ago than the campaign's window.",
  no_touch: "It named no click, and no user who clicked or saw an offer.",
};

/** Why an order is not attributed, as a sentence; undefined for an attributed one. */
export const reasonText = ({ reason }: Pick<Conversion, "reason">): string | undefined =>
  reason === null ? undefined : REASONS[reason];

/** The attribution of an order that was just reported, as one sentence. */
export function resultText(
  { attribution, reason }: Pick<Conversion, "attribution" | "reason">,
  { campaign, duplicate }: { campaign: string; duplicate: boolean },
): string {
  const intro = duplicate ? "This order was already reported and is unchanged: " : "Order received: ";
  if (attribution !== "none") return `${intro}it is attributed to ${campaign}, ${ATTRIBUTION_NAMES[attribution]}.`;
  const why = reasonText({ reason }) ?? "";
  return `${intro}it is stored, but not attributed to a campaign. ${why}`;
}
