const SORTS = ["name", "bid", "impressions", "clicks", "ctr", "spend"] as const;
export type Sort = (typeof SORTS)[number];

export interface ListOrder {
  sort: Sort | "created";
  order: "asc" | "desc";
}

/** The order that an address names; by default the newest campaigns come first. */
export function readOrder(params: Pick<URLSearchParams, "get">): ListOrder {
  const sort = SORTS.find((candidate) => candidate === params.get("sort"));
  if (!sort) return { sort: "created", order: "desc" };
  return { sort, order: params.get("order") === "asc" ? "asc" : "desc" };
}

/** Names are first sorted from A, figures from the largest. */
const firstOrder = (sort: string): ListOrder["order"] => (sort === "name" ? "asc" : "desc");

/** What a press on a heading changes in the address: its first order, then the reverse, then the default. */
export function nextOrder(current: ListOrder, sort: string): { sort: string; order: string } {
  const first = firstOrder(sort);
  if (current.sort !== sort) return { sort, order: first };
  return current.order === first ? { sort, order: first === "asc" ? "desc" : "asc" } : { sort: "", order: "" };
}
