import type { CapWindow } from "../../engines/counters/counters";
import { uuidv7 } from "../../kernel/ids";
import { unlessAway } from "../../kernel/unless-away";
import { OFFER_COUNTS_MS } from "../limits";
import type { Candidate } from "../ranking/decision";
import type { ServingCap } from "../ranking/serving";
import type { ServeCtx } from "../serve-ctx";
import type { HeldCaps } from "./offer-record";

/** A candidate that became an offer, and the places it holds in its user's caps. */
export interface Minted {
  id: string;
  candidate: Candidate;
  caps: HeldCaps | null;
}

export interface ReserveOffers {
  /** In rank order. */
  candidates: readonly Candidate[];
  /** "" when nobody is known: then no caps apply. */
  user: string;
  wanted: number;
  now: number;
}

export interface Reserved {
  minted: Minted[];
  /** Every match was kept out by a cap. */
  capped: boolean;
  /** In rank order, those that no cap kept out, minted or not: who competed. */
  competing: readonly Candidate[];
}

/** The first `wanted` candidates whose frequency caps have room, reserved in one atomic step. */
export async function reserveCaps(
  { counters, channel }: Pick<ServeCtx, "counters"> & { channel: { id: string } },
  { candidates, user, wanted, now }: ReserveOffers,
): Promise<Reserved> {
  const mint = (candidate: Candidate) => ({ id: uuidv7(now), candidate, caps: null });
  if (!user || candidates.every(({ campaign }) => campaign.caps.length === 0)) {
    return { minted: candidates.slice(0, wanted).map(mint), capped: false, competing: candidates };
  }
  const windows = new WindowList();
  const asked = candidates.map((candidate) => ({
    ...mint(candidate),
    windows: candidate.campaign.caps.map((cap) => windows.add(cap, keyOf(cap, candidate, channel.id))),
  }));
  const reserving = counters.reserve({
    user,
    windows: windows.all,
    candidates: asked.map(({ id, windows: needed }) => ({ id, windows: needed })),
    wanted,
    holdMs: OFFER_COUNTS_MS,
  });
  const reserved = await unlessAway(reserving);
  // A cap that cannot be counted is not served past: what has none goes on.
  if (!reserved) return withoutCapped(candidates, { mint, wanted });
  const { verdicts, reservedAtMs } = reserved;
  const minted = asked.filter((_, i) => verdicts[i] === "reserved");
  return {
    minted: minted.map(({ windows: held, ...offer }) => ({
      ...offer,
      caps: held.length === 0 ? null : { user, reservedAtMs, windows: held.flatMap((i) => windows.all[i] ?? []) },
    })),
    capped: minted.length === 0 && asked.length > 0,
    competing: candidates.filter((_, i) => typeof verdicts[i] === "string"),
  };
}

function withoutCapped(
  candidates: readonly Candidate[],
  { mint, wanted }: { mint: (candidate: Candidate) => Minted; wanted: number },
): Reserved {
  const competing = candidates.filter(({ campaign }) => campaign.caps.length === 0);
  return { minted: competing.slice(0, wanted).map(mint), capped: false, competing };
}

/** A channel's window is one of each buyer: what one buyer limits must not keep another's campaigns away. */
function keyOf(cap: ServingCap, { campaign }: Candidate, channelId: string): string {
  const { id: campaignId, advertiserId, tenantId } = campaign;
  const id = { campaign: campaignId, advertiser: advertiserId, channel: `${tenantId}:${channelId}` }[cap.per];
  return `${cap.per}:${id}:${cap.windowSeconds}`;
}

/** Candidates that share a scope share its window; of two limits on one window the stricter holds. */
class WindowList {
  readonly all: CapWindow[] = [];
  readonly #indexByKey = new Map<string, number>();

  add({ count, windowSeconds }: ServingCap, key: string): number {
    const known = this.#indexByKey.get(key);
    const window = known === undefined ? undefined : this.all[known];
    if (known !== undefined && window) {
      window.count = Math.min(window.count, count);
      return known;
    }
    this.#indexByKey.set(key, this.all.length);
    return this.all.push({ key, count, windowMs: windowSeconds * 1000 }) - 1;
  }
}
