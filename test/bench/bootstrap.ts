import { seededRandom } from "./seeded-random";

const RESAMPLES = 10_000;

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/** Mean of the values and its 95 % percentile interval by resampling them (Efron 1979), the same for the same values and seed. */
export function bootstrap(values: readonly number[], seed = 1): Interval {
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort();
  const at = (share: number) => means[Math.floor(share * (RESAMPLES - 1))] ?? 0;
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, low: at(0.025), high: at(0.975) };
}
