/**
 * Whether everything is to be tested (`SVC_LONG_TESTS=1 npm test`), as before a release, which takes about an hour.
 * Other runs prove each guarantee too, but at fewer of the points at which it could break.
 */
export const isLongRun = process.env.SVC_LONG_TESTS === "1";

/** In a long run all cases; otherwise at most `count` of them, spread evenly, the first and the last among them. */
export function sampled<T>(cases: readonly T[], count: number): readonly T[] {
  if (isLongRun || cases.length <= count) return cases;
  if (count === 1) return cases.slice(0, 1);
  return Array.from({ length: count }, (_, i) => cases[Math.round((i * (cases.length - 1)) / (count - 1))] as T);
}
