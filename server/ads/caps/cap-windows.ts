import type { CapWindow } from "../../engines/counters/counters";
import type { Candidate } from "../ranking/decision";
import type { ServingCap } from "../serving/serving";

export interface CapWindows {
  /** Each window with each limit once, even if candidates share it. */
  windows: CapWindow[];
  /** The indexes of its windows, for each candidate. */
  needed: number[][];
}

/** The windows of a user that limit some candidates. Campaigns that share a window keep their own limits on it. */
export function capWindowsOf(candidates: readonly Candidate[], channelId: string): CapWindows {
  const list = new WindowList();
  const needed = candidates.map((candidate) =>
    candidate.campaign.caps.map((cap) => list.add(cap, keyOf(cap, candidate, channelId))),
  );
  return { windows: list.all, needed };
}

export const isCapped = ({ campaign }: Candidate): boolean => campaign.caps.length > 0;

/** A channel's window is counted per buyer, so that one buyer's limit does not block another buyer's campaigns. */
function keyOf(cap: ServingCap, { campaign }: Candidate, channelId: string): string {
  const { id: campaignId, advertiserId, tenantId } = campaign;
  const id = { campaign: campaignId, advertiser: advertiserId, channel: `${tenantId}:${channelId}` }[cap.per];
  return `${cap.per}:${id}:${cap.windowSeconds}`;
}

class WindowList {
  readonly all: CapWindow[] = [];
  readonly #indexByLimit = new Map<string, number>();

  add({ count, windowSeconds }: ServingCap, key: string): number {
    const limit = `${count}:${key}`;
    const known = this.#indexByLimit.get(limit);
    if (known !== undefined) return known;
    this.#indexByLimit.set(limit, this.all.length);
    return this.all.push({ key, count, windowMs: windowSeconds * 1000 }) - 1;
  }
}
