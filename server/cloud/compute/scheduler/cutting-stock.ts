import { GPU_MILLI } from "./gpu-request";

/** Shares of a device, and how many of each are wanted. */
export interface ShareDemand {
  /** Distinct, 1 to 999 thousandths. */
  sizes: readonly number[];
  /** Above 0, in the order of `sizes`. */
  counts: readonly number[];
}

/**
 * The value of an idle part of a device, by its thousandths (0 to 1000), in devices: the best sum of the prices of shares
 * that fit in it together. The prices are the dual values of the linear programme that serves all shares with the fewest
 * devices (the cutting-stock problem), by column generation (Gilmore and Gomory, Operations Research 9(6), 1961). A whole
 * device is worth 1; without shares every part of a device is worth 0.
 */
export function idleValues(demand: ShareDemand): Float64Array {
  const values = new Float64Array(GPU_MILLI + 1);
  if (demand.sizes.length > 0) bestSums(demand.sizes, sharePrices(demand), values);
  const whole = values[GPU_MILLI] as number;
  // Column generation may stop at its limit with prices that are slightly too high.
  if (whole > 0) for (let i = 0; i <= GPU_MILLI; i++) values[i] = (values[i] as number) / whole;
  values[GPU_MILLI] = 1;
  return values;
}

/** The dual value of each size, in devices. */
export function sharePrices({ sizes, counts }: ShareDemand): Float64Array {
  const n = sizes.length;
  const basis = startBasis(sizes, counts);
  const prices = new Float64Array(n);
  const values = new Float64Array(GPU_MILLI + 1);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (let i = 0; i < n; i++) prices[i] = columnSum(basis.inverse, n, i);
    const last = bestSums(sizes, prices, values);
    if ((values[GPU_MILLI] as number) <= 1 + EPSILON) break;
    enter(basis, patternOf(last, sizes));
  }
  return prices;
}

const ROUNDS_MAX = 400;
const EPSILON = 1e-9;

interface Basis {
  /** Row-major inverse of the matrix whose columns are the patterns in use. */
  inverse: Float64Array;
  /** How many devices are cut by each pattern in use. */
  devices: Float64Array;
}

/** One pattern per size, which repeats only that size. */
function startBasis(sizes: readonly number[], counts: readonly number[]): Basis {
  const inverse = new Float64Array(sizes.length ** 2);
  const devices = Float64Array.from(counts, (count, i) => {
    const fits = Math.floor(GPU_MILLI / (sizes[i] as number));
    inverse[i * sizes.length + i] = 1 / fits;
    return count / fits;
  });
  return { inverse, devices };
}

/** Each pattern costs one device, so a dual value is the sum of a column of the inverse. */
function columnSum(inverse: Float64Array, n: number, column: number): number {
  let sum = 0;
  for (let row = 0; row < n; row++) sum += inverse[row * n + column] as number;
  return sum;
}

/** Fills values[c] with the best sum of prices within c; returns the size added last at c, or -1 where c is one wider than needed. */
function bestSums(sizes: readonly number[], prices: Float64Array, values: Float64Array): Int32Array {
  const last = new Int32Array(GPU_MILLI + 1).fill(-1);
  values[0] = 0;
  for (let width = 1; width <= GPU_MILLI; width++) {
    let best = values[width - 1] as number;
    for (let i = 0; i < sizes.length; i++) {
      const rest = width - (sizes[i] as number);
      if (rest < 0) continue;
      const value = (values[rest] as number) + (prices[i] as number);
      if (value <= best) continue;
      best = value;
      last[width] = i;
    }
    values[width] = best;
  }
  return last;
}

/** How many of each size the best cut of a whole device has. */
function patternOf(last: Int32Array, sizes: readonly number[]): Float64Array {
  const pattern = new Float64Array(sizes.length);
  for (let width = GPU_MILLI; width > 0; ) {
    const i = last[width] as number;
    if (i >= 0) pattern[i] = (pattern[i] as number) + 1;
    width -= i < 0 ? 1 : (sizes[i] as number);
  }
  return pattern;
}

/** A step of the revised simplex method: the pattern replaces the one that runs out first. */
function enter({ inverse, devices }: Basis, pattern: Float64Array): void {
  const n = devices.length;
  const direction = new Float64Array(n);
  let leaving = -1;
  for (let row = 0; row < n; row++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (inverse[row * n + i] as number) * (pattern[i] as number);
    direction[row] = sum;
    if (sum <= EPSILON) continue;
    if (leaving < 0 || (devices[row] as number) / sum < (devices[leaving] as number) / (direction[leaving] as number)) {
      leaving = row;
    }
  }
  const pivot = direction[leaving] as number;
  const amount = (devices[leaving] as number) / pivot;
  for (let i = 0; i < n; i++) inverse[leaving * n + i] = (inverse[leaving * n + i] as number) / pivot;
  for (let row = 0; row < n; row++) {
    const factor = direction[row] as number;
    if (row === leaving || factor === 0) continue;
    devices[row] = Math.max(0, (devices[row] as number) - factor * amount);
    for (let i = 0; i < n; i++) {
      inverse[row * n + i] = (inverse[row * n + i] as number) - factor * (inverse[leaving * n + i] as number);
    }
  }
  devices[leaving] = amount;
}
