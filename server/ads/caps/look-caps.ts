import type { Candidate } from "../ranking/decision";
import type { CapCounts } from "./cap-counts";
import { capWindowsOf, isCapped } from "./cap-windows";

/** What caps make of a candidate: offered, not needed behind those offered, kept out by a cap, or caps are not known now. */
export type CapFate = "offered" | "not_needed" | "frequency_cap" | "caps_unknown";

export interface LookAtCaps {
  /** In rank order. */
  candidates: readonly Candidate[];
  channelId: string;
  /** "" when nobody is known: then no caps apply. */
  user: string;
  wanted: number;
}

/** The fate of each candidate if these were offered to the user right now; nothing is counted or held. */
export async function lookAtCaps(
  caps: Pick<CapCounts, "look">,
  { candidates, channelId, user, wanted }: LookAtCaps,
): Promise<CapFate[]> {
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

function withoutCapped(candidates: readonly Candidate[], wanted: number): CapFate[] {
  let offered = 0;
  return candidates.map((candidate) => {
    if (isCapped(candidate)) return "caps_unknown";
    return offered++ < wanted ? "offered" : "not_needed";
  });
}
