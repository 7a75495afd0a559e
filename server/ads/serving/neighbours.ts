/** The items whose vectors are nearest to that of a query, best first. */
export interface Neighbours {
  ids: readonly string[];
  /** The cosine of each item's vector with the query's, `cosineMin` to 1. */
  cosines: Float32Array;
  /** Items with a lower cosine count as unrelated. */
  cosineMin: number;
}
