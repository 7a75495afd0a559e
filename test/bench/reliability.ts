/** A request with the probability that the catalogue has something for it, and whether it has. */
export interface Predicted {
  catalogue: string;
  /** The query set or the list of unrelated requests that it is of. */
  set: string;
  probability: number;
  isAnswerable: boolean;
}

const BINS = 10;
const PLOT_WIDTH = 40;
const FALSE_SHARES = [0.01, 0.03];
const COLUMN = 18;

/**
 * Prints, by tenths of the predicted probability, the share of requests that the catalogue can answer, and which share
 * of each set is served when 1 % and 3 % of unrelated requests are. Prints nothing without predictions.
 */
export function printReliability(predicted: readonly Predicted[], print: (line: string) => void): void {
  if (predicted.length === 0) return;
  print("\nReliability: predicted probability, and the share of requests that the catalogue can answer");
  print(
    "(o: share that is right, |: what was predicted on average; all catalogues, unrelated requests weighed alike)\n",
  );
  const positives = predicted.filter(({ isAnswerable }) => isAnswerable).length;
  const negativeWeight = positives / Math.max(1, predicted.length - positives);
  const weightOf = ({ isAnswerable }: Predicted) => (isAnswerable ? 1 : negativeWeight);
  for (let bin = 0; bin < BINS; bin++) {
    const inside = predicted.filter(({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)) === bin);
    const total = sum(inside.map(weightOf));
    const right = sum(inside.map((one) => (one.isAnswerable ? 1 : 0))) / total;
    const mean = sum(inside.map((one) => weightOf(one) * one.probability)) / total;
    const range = `${(bin / BINS).toFixed(1)} to ${((bin + 1) / BINS).toFixed(1)}`;
    const plot = inside.length === 0 ? "" : `${mean.toFixed(2)} ${right.toFixed(2)}  ${plotOf(mean, right)}`;
    print(`${range}  ${String(inside.length).padStart(6)}  ${plot}`);
  }
  printServed(predicted, print);
}

/** One line per catalogue and share of unrelated requests that get through: the threshold, and % served by set. */
function printServed(predicted: readonly Predicted[], print: (line: string) => void): void {
  const answerable = predicted.filter((one) => one.isAnswerable);
  const sets = [...new Set(answerable.map(({ set }) => set))];
  print("\n% of requests served by set, when 1 % and 3 % of unrelated ones are");
  print(`${"".padEnd(26)} at most  above  ${sets.map((set) => set.slice(-COLUMN + 2).padStart(COLUMN)).join("")}`);
  for (const catalogue of new Set(predicted.map((one) => one.catalogue))) {
    const some = predicted.filter((one) => one.catalogue === catalogue);
    for (const share of FALSE_SHARES) {
      const threshold = thresholdFor(some, share);
      const cells = sets.map((set) => {
        const asked = some.filter((one) => one.isAnswerable && one.set === set);
        const served = asked.filter(({ probability }) => probability > threshold).length;
        return (asked.length === 0 ? "" : ((100 * served) / asked.length).toFixed(1)).padStart(COLUMN);
      });
      print(`${catalogue.padEnd(26)} ${`${100 * share} %`.padStart(7)}  ${threshold.toFixed(3)}  ${cells.join("")}`);
    }
  }
}

function plotOf(predicted: number, right: number): string {
  const cells = Array.from({ length: PLOT_WIDTH + 1 }, () => ".");
  cells[Math.round(predicted * PLOT_WIDTH)] = "|";
  cells[Math.round(right * PLOT_WIDTH)] = "o";
  return cells.join("");
}

/** The threshold that at most a share of the unanswerable requests exceeds. */
function thresholdFor(some: readonly Predicted[], share: number): number {
  const unrelated = some.filter(({ isAnswerable }) => !isAnswerable).map(({ probability }) => probability);
  return unrelated.sort((a, b) => b - a)[Math.floor(share * unrelated.length)] ?? 0;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
