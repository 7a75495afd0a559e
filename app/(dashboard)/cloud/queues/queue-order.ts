import type { ListedQueue } from "./queue";

export const SORTS = ["name", "waiting", "in_flight", "oldest"] as const;
export type Sort = (typeof SORTS)[number];

export interface QueueOrder {
  sort: Sort;
  order: "asc" | "desc";
}

/** The order that an address names; by default the queue with the most waiting messages comes first. */
export function readOrder(params: Pick<URLSearchParams, "get">): QueueOrder {
  const sort = SORTS.find((candidate) => candidate === params.get("sort")) ?? "waiting";
  const order = params.get("order");
  return { sort, order: order === "asc" || order === "desc" ? order : firstOrder(sort) };
}

/** Names are first sorted from A, figures from the largest. */
const firstOrder = (sort: string): QueueOrder["order"] => (sort === "name" ? "asc" : "desc");

/** What a press on a heading changes in the address: its first order, then the reverse. */
export function nextOrder(current: QueueOrder, sort: string): { sort: string; order: string } {
  if (current.sort !== sort) return { sort, order: firstOrder(sort) };
  return { sort, order: current.order === "asc" ? "desc" : "asc" };
}

/** Queues with the same figure are in the order of their names. */
export function inOrder(queues: readonly ListedQueue[], { sort, order }: QueueOrder): ListedQueue[] {
  const sign = order === "asc" ? 1 : -1;
  return [...queues].sort((a, b) => {
    const byName = a.name.localeCompare(b.name, "en");
    if (sort === "name") return sign * byName;
    return sign * (figureOf(a, sort) - figureOf(b, sort)) || byName;
  });
}

/** Unknown figures count as less than zero. */
function figureOf({ figures }: ListedQueue, sort: Exclude<Sort, "name">): number {
  if (!figures) return -1;
  return sort === "oldest" ? (figures.oldest_age_s ?? -1) : figures[sort];
}
