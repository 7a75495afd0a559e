import { isCapped } from "../caps/cap-windows";
import { type CapOutcome, lookAtCaps } from "../caps/look-caps";
import type { Rights } from "../consent/rights";
import type { Candidate, CandidateOutcome, Decision } from "../ranking/decision";
import type { ServingChannel } from "../serving/serving";
import { userKeyOf } from "../users/subject-keys";
import type { ExplainCtx } from "./explain-ctx";
import type { ExplainedReason } from "./reasons";

/** An outcome after frequency caps were applied. */
export interface CappedOutcome extends Omit<CandidateOutcome, "reason"> {
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
 * Returns what serving would do with a decision for this visitor now: who is offered, who is excluded by a cap, and who
 * competed for the places, in rank order. Reads the counts without changing them.
 */
export async function outcomesAfterCaps(
  ctx: Pick<ExplainCtx, "caps" | "userKey">,
  { candidates, fates = [] }: Decision,
  { channel, userId, rights, limit }: VisitorAsked,
): Promise<{ fates: CappedOutcome[]; competing: Candidate[] }> {
  const allowed = rights.caps ? candidates : candidates.filter((candidate) => !isCapped(candidate));
  const user = rights.caps && userId ? userKeyOf(ctx.userKey, channel.tenantId, userId) : "";
  const looked = await lookAtCaps(ctx.caps, { candidates: allowed, channelId: channel.id, user, wanted: limit });
  const byItem = new Map(allowed.map(({ item }, i) => [item, looked[i]]));
  const competing = allowed.filter((_, i) => looked[i] === "offered" || looked[i] === "not_needed");
  const places = new Map(competing.map(({ item }, place) => [item, place]));
  const capped = fates.map((fate): CappedOutcome => {
    if (fate.rank === undefined || !fate.item) return { ...fate, outcome: "left_out" };
    const rank = places.get(fate.item);
    const reason = keptOut(byItem.get(fate.item));
    if (rank === undefined) return { ...fate, rank, outcome: "left_out", reason };
    return { ...fate, rank, outcome: byItem.get(fate.item) === "offered" ? "offered" : "runner_up" };
  });
  return { fates: capped, competing };
}

const keptOut = (fate: CapOutcome | undefined): ExplainedReason =>
  fate === "frequency_cap" || fate === "caps_unknown" ? fate : "consent";
