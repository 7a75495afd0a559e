import { NOTICE_MS } from "../pod-records/grace-times";
import type { Ending, ExpectedWait, WaitInput } from "./expected-wait";
import type { FreeNode } from "./free-nodes";
import { GangFit, type GangNeed, type GangNode } from "./gang-fit";

const SECOND_MS = 1000;

export interface GangWaitInput extends GangNeed, Pick<WaitInput, "now" | "isNext" | "isAllowedAt"> {
  /** Whether spot pods are given notice for it. */
  mayReclaim: boolean;
  free: readonly GangNode[];
  endings: readonly Ending[];
  /** The nodes whose memory its pods need beside that of the pool's; undefined if the pool has the nodes themselves. */
  freeNodes: { free: readonly FreeNode[]; endings: readonly Ending[] } | undefined;
}

/**
 * How long a gang waits at most until all its pods fit together, by what is known: pods that are ending, the ends of
 * lifetimes and of reservations, and spot pods that are given notice for it. The past does not count, because most runs
 * that waited were single pods. null: others are before it, or no known end makes room for all of them.
 */
export function gangWait(facts: GangWaitInput): ExpectedWait | null {
  const { now, isNext, isAllowedAt, freeNodes } = facts;
  if (!isNext) return null;
  const reclaimable = new Set(facts.endings.filter(({ isReclaimable }) => facts.mayReclaim && isReclaimable));
  const nodes = new GangFit(facts.free, facts);
  const withoutSpot = new GangFit(facts.free, facts, reclaimable);
  const memory = freeNodes && new GangFit(freeNodes.free.map(asGangNode), { ...facts, ...ON_FREE_NODES });
  let [isSoon, at] = [true, now];
  const hasRoom = () => memory?.holds() !== false && isAllowedAt(at);
  // What fits now is placed, unless something else keeps it waiting.
  if (withoutSpot.holds() && !nodes.holds() && hasRoom()) return waitForNotice(facts, now);
  for (const { ending, isOnNode } of inOrder(facts)) {
    at = ending.at;
    isSoon &&= ending.isEnding;
    if (isOnNode) memory?.add(ending);
    else for (const fit of [nodes, withoutSpot]) fit.add(ending);
    if (nodes.holds() && hasRoom()) return waitUntil(facts, { at, isSoon });
    if (withoutSpot.holds() && hasRoom()) return waitForNotice(facts, at);
  }
  return null;
}

/** A node is not part of a domain, and only its memory is limited here. */
const ON_FREE_NODES = { isSingle: false };
const asGangNode = (one: FreeNode): GangNode => ({
  ...one,
  domain: null,
  cpuMilli: Number.POSITIVE_INFINITY,
  devices: undefined,
});

function inOrder({ endings, freeNodes }: GangWaitInput): { ending: Ending; isOnNode: boolean }[] {
  const all = [
    ...endings.map((ending) => ({ ending, isOnNode: false })),
    ...(freeNodes?.endings ?? []).map((ending) => ({ ending, isOnNode: true })),
  ];
  return all.sort((a, b) => a.ending.at.getTime() - b.ending.at.getTime());
}

function waitUntil({ now, members }: GangWaitInput, { at, isSoon }: { at: Date; isSoon: boolean }): ExpectedWait {
  const who = isSoon ? "Pods that are ending" : "Pods and reservations that reach their end";
  const basis = `${who} free enough for its ${members} pods together by then${isSoon ? "" : " at the latest"}.`;
  return { seconds: secondsBetween(now, at), basis, samples: 0 };
}

function waitForNotice({ now, members }: GangWaitInput, at: Date): ExpectedWait {
  const basis = `Spot pods are given 30 seconds of notice as soon as its ${members} pods fit together without them.`;
  return { seconds: secondsBetween(now, new Date(at.getTime() + NOTICE_MS)), basis, samples: 0 };
}

const secondsBetween = (from: Date, to: Date): number =>
  Math.max(1, Math.ceil((to.getTime() - from.getTime()) / SECOND_MS));
