import { uuidv7 } from "../../kernel/ids";
import type { HeldCaps } from "../offers/offer-record";
import type { Candidate } from "../ranking/decision";
import type { CapCounts } from "./cap-counts";
import { capWindowsOf, isCapped } from "./cap-windows";

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
  /** Until then, on the clock of `performance.now()`, the offers must be recorded, or nobody may hear of them. */
  recordByMs: number;
}

/** The first `wanted` candidates whose frequency caps have room, reserved in one atomic step. */
export async function reserveCaps(
  { caps, channel }: { caps: Pick<CapCounts, "reserve">; channel: { id: string } },
  { candidates, user, wanted, now }: ReserveOffers,
): Promise<Reserved> {
  const mint = (candidate: Candidate) => ({ id: uuidv7(now), candidate, caps: null });
  const uncapped = (competing: readonly Candidate[]): Reserved => ({
    ...{ minted: competing.slice(0, wanted).map(mint), competing, capped: false, recordByMs: Number.POSITIVE_INFINITY },
  });
  if (!user || !candidates.some(isCapped)) return uncapped(candidates);
  const { windows, needed } = capWindowsOf(candidates, channel.id);
  const asked = candidates.map((candidate, i) => ({ ...mint(candidate), windows: needed[i] ?? [] }));
  const places = asked.map(({ id, windows: indexes }) => ({ id, windows: indexes }));
  const reserved = await caps.reserve({ user, windows, candidates: places, wanted });
  // A cap that cannot be counted is not served past: what has none goes on.
  if (!reserved) return uncapped(candidates.filter((candidate) => !isCapped(candidate)));
  const { verdicts, reservedAtMs, recordByMs } = reserved;
  const minted = asked.filter((_, i) => verdicts[i] === "reserved");
  return {
    minted: minted.map(({ windows: held, ...offer }) => ({
      ...offer,
      caps: held.length === 0 ? null : { user, reservedAtMs, windows: held.flatMap((i) => storedWindow(windows[i])) },
    })),
    capped: minted.length === 0,
    competing: candidates.filter((_, i) => typeof verdicts[i] === "string"),
    recordByMs,
  };
}

/** The limit is the campaign's to change; what counts in a window is not. */
const storedWindow = (window: HeldCaps["windows"][number] | undefined): HeldCaps["windows"] =>
  window ? [{ key: window.key, windowMs: window.windowMs }] : [];
