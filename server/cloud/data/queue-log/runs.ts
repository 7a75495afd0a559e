/** Ascending whole numbers as first, count, first, count, …: most positions of a turn are neighbours. */
export type Runs = number[];

/** The numbers must ascend. */
export function toRuns(numbers: Iterable<number>): Runs {
  const runs: Runs = [];
  let [first, count] = [0, 0];
  for (const each of numbers) {
    if (count > 0 && each === first + count) count++;
    else {
      if (count > 0) runs.push(first, count);
      [first, count] = [each, 1];
    }
  }
  if (count > 0) runs.push(first, count);
  return runs;
}

export function* fromRuns(runs: Runs): Generator<number> {
  for (let i = 0; i + 1 < runs.length; i += 2) {
    const [first = 0, count = 0] = [runs[i], runs[i + 1]];
    for (let n = 0; n < count; n++) yield first + n;
  }
}
