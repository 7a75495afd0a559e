/** Uniform numbers in [0, 1), the same for the same seed: Tommy Ettinger's mulberry32, 32 bits of state. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of the values; throws if there is none. */
export function pick<T>(values: readonly T[], random: () => number): T {
  const chosen = values[Math.floor(random() * values.length)];
  if (chosen === undefined) throw new RangeError("pick: the list is empty");
  return chosen;
}

/** A copy in random order (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const copy = [...values];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}
