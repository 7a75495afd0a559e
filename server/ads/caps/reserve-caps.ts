import { uuidv7 } from "../../kernel/ids";
import type { ReservedCaps } from "../offer-records/offer-record";
import type { Candidate } from "../ranking/decision";
import type { CapCounts } from "./cap-counts";
import { capWindowsOf, isCapped } from "./cap-windows";

/** A candidate that became an offer, and its reservations in the user's caps. */
export interface NewOffer {
  id: string;
  candidate: Candidate;
  caps: ReservedCaps | null;
}

export interface ReserveOffers {
  /** In rank order. */
  candidates: readonly Candidate[];
  /** "" if the user is unknown: then no caps apply. */
  user: string;
  wanted: number;
  now: number;
}

export interface Reserved {
  newOffers: NewOffer[];
  /** Every match was excluded by a cap. */
  capped: boolean;
  /** Candidates that no cap excluded, in rank order, whether or not they became offers: the competitors. */
  competing: readonly Candidate[];
  /** The offers must be recorded before this time (on the clock of `performance.now()`) or must not be returned. */
  recordByMs: number;
}

/** Reserves the first `wanted` candidates within their frequency caps, in one atomic step. */
export async function reserveCaps(
  { caps, channel }: { caps: Pick<CapCounts, "reserve">; channel: { id: string } },
  { candidates, user, wanted, now }: ReserveOffers,
): Promise<Reserved> {
  const mint = (candidate: Candidate) => ({ id: uuidv7(now), candidate, caps: null });
  const uncapped = (competing: readonly Candidate[]): Reserved => ({
    newOffers: competing.slice(0, wanted).map(mint),
    competing,
    capped: false,
    recordByMs: Number.POSITIVE_INFINITY,
  });
  if (!user || !candidates.some(isCapped)) return uncapped(candidates);
  const { windows, needed } = capWindowsOf(candidates, channel.id);
  const requested = candidates.map((candidate, i) => ({ ...mint(candidate), windows: needed[i] ?? [] }));
  const places = requested.map(({ id, windows: indexes }) => ({ id, windows: indexes }));
  const reserved = await caps.reserve({ user, windows, candidates: places, wanted });
  // If caps cannot be counted, only candidates without caps are served.
  if (!reserved) return uncapped(candidates.filter((candidate) => !isCapped(candidate)));
  const { verdicts, reservedAtMs, recordByMs } = reserved;
  const newOffers = requested.filter((_, i) => verdicts[i] === "reserved");
  return {
    newOffers: newOffers.map(({ windows: held, ...offer }) => ({
      ...offer,
      caps: held.length === 0 ? null : { user, reservedAtMs, windows: held.flatMap((i) => storedWindow(windows[i])) },
    })),
    capped: newOffers.length === 0,
    competing: candidates.filter((_, i) => typeof verdicts[i] === "string"),
    recordByMs,
  };
}

/** The campaign may change the limit but not the events that are counted in a window. */
const storedWindow = (window: ReservedCaps["windows"][number] | undefined): ReservedCaps["windows"] =>
  window ? [{ key: window.key, windowMs: window.windowMs }] : [];
