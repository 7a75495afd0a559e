import type { Candidate } from "../ranking/decision";
import type { CapCounts } from "./cap-counts";
import { capWindowsOf, isCapped } from "./cap-windows";

/**
 * The effect of caps on a candidate: offered, not needed because enough others are offered, excluded by a cap, or
 * unknown because the counts are unavailable.
 */
export type CapOutcome = "offered" | "not_needed" | "frequency_cap" | "caps_unknown";

export interface CapLookup {
  /** In rank order. */
  candidates: readonly Candidate[];
  channelId: string;
  /** "" if the user is unknown: then no caps apply. */
  user: string;
  wanted: number;
}

/** Returns the outcome of each candidate if it were offered to the user now. Nothing is counted or reserved. */
export async function lookAtCaps(
  caps: Pick<CapCounts, "look">,
  { candidates, channelId, user, wanted }: CapLookup,
): Promise<CapOutcome[]> {
  if (!user || !candidates.some(isCapped)) return candidates.map((_, i) => (i < wanted ? "offered" : "not_needed"));
  const { windows, needed } = capWindowsOf(candidates, channelId);
  const places = needed.map((indexes, i) => ({ id: `look-${i}`, windows: indexes }));
  const verdicts = await caps.look({ user, windows, candidates: places, wanted });
  if (!verdicts) return withoutCapped(candidates, wanted);
  return verdicts.map((verdict) => {
    if (typeof verdict === "object") return "frequency_cap";
    return verdict === "reserved" ? "offered" : "not_needed";
  });
}

function withoutCapped(candidates: readonly Candidate[], wanted: number): CapOutcome[] {
  let offered = 0;
  return candidates.map((candidate) => {
    if (isCapped(candidate)) return "caps_unknown";
    return offered++ < wanted ? "offered" : "not_needed";
  });
}
