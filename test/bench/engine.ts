/** How many products an engine may return. */
export const DEPTH = 8;

/** The ids of the best products for a query, best first; empty where nothing is offered. */
export type Rank = (query: string) => string[];

/** What is measured: an engine over the items of one catalogue. */
export interface Engine {
  name: string;
  rank: Rank;
}
