import type { AdsCtx } from "../ads-ctx";
import { isCapped } from "../caps/cap-windows";
import { type CapFate, lookAtCaps } from "../caps/look-caps";
import type { Rights } from "../consent/rights";
import type { Candidate, Decision, Fate } from "../ranking/decision";
import type { ServingChannel } from "../ranking/serving";
import { userKeyOf } from "../signals/subject-keys";
import type { ExplainedReason } from "./reasons";

/** A fate with what frequency caps made of it. */
export interface CappedFate extends Omit<Fate, "reason"> {
  outcome: "offered" | "runner_up" | "left_out";
  reason?: ExplainedReason | undefined;
}

export interface VisitorAsked {
  channel: ServingChannel;
  userId: string;
  rights: Rights;
  limit: number;
}

/**
 * What serving would make of a decision for this visitor now: who is offered, who is kept out by a cap, and who competed
 * for the places, in rank order. Looks at the counts and changes none.
 */
export async function fatesAfterCaps(
  ctx: Pick<AdsCtx, "caps" | "userKey">,
  { candidates, fates = [] }: Decision,
  { channel, userId, rights, limit }: VisitorAsked,
): Promise<{ fates: CappedFate[]; competing: Candidate[] }> {
  const allowed = rights.caps ? candidates : candidates.filter((candidate) => !isCapped(candidate));
  const user = rights.caps && userId ? userKeyOf(ctx.userKey, channel.tenantId, userId) : "";
  const looked = await lookAtCaps(ctx.caps, { candidates: allowed, channelId: channel.id, user, wanted: limit });
  const byItem = new Map(allowed.map(({ item }, i) => [item, looked[i]]));
  const competing = allowed.filter((_, i) => looked[i] === "offered" || looked[i] === "not_needed");
  const places = new Map(competing.map(({ item }, place) => [item, place]));
  const capped = fates.map((fate): CappedFate => {
    if (fate.rank === undefined || !fate.item) return { ...fate, outcome: "left_out" };
    const rank = places.get(fate.item);
    const reason = keptOut(byItem.get(fate.item));
    if (rank === undefined) return { ...fate, rank, outcome: "left_out", reason };
    return { ...fate, rank, outcome: byItem.get(fate.item) === "offered" ? "offered" : "runner_up" };
  });
  return { fates: capped, competing };
}

const keptOut = (fate: CapFate | undefined): ExplainedReason =>
  fate === "frequency_cap" || fate === "caps_unknown" ? fate : "consent";
