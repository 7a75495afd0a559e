/** Features of one request, whether something fits it, and how much it counts. */
export interface LabeledFeatures {
  features: readonly number[];
  label: 0 | 1;
  weight: number;
}

export interface Model {
  intercept: number;
  weights: readonly number[];
}

const STEPS = 30;
const CONVERGED = 1e-6;

/**
 * Logistic regression by Newton's method. `prior` is what the weights are drawn to, each as strongly as its number of
 * `pulls` samples of standardised features would; the intercept is free.
 */
export function logisticRegression(
  samples: readonly LabeledFeatures[],
  { prior, pulls }: { prior: Model; pulls: readonly number[] },
): Model {
  const size = prior.weights.length + 1;
  const deviations = prior.weights.map((_, i) => deviationOf(samples, i));
  let beta = [prior.intercept, ...prior.weights];
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Array<number>(size).fill(0);
    const hessian = Array.from({ length: size }, () => new Array<number>(size).fill(0));
    for (const { features, label, weight } of samples) {
      const x = [1, ...features];
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * (beta[i] ?? 0), 0)));
      const curvature = weight * Math.max(1e-9, p * (1 - p));
      for (let i = 0; i < size; i++) {
        gradient[i] = (gradient[i] ?? 0) + weight * (label - p) * (x[i] ?? 0);
        const row = hessian[i] as number[];
        for (let j = 0; j < size; j++) row[j] = (row[j] ?? 0) + curvature * (x[i] ?? 0) * (x[j] ?? 0);
      }
    }
    for (let i = 1; i < size; i++) {
      const strength = (pulls[i - 1] ?? 0) * (deviations[i - 1] ?? 0) ** 2;
      gradient[i] = (gradient[i] ?? 0) - strength * ((beta[i] ?? 0) - (prior.weights[i - 1] ?? 0));
      const row = hessian[i] as number[];
      row[i] = (row[i] ?? 0) + strength;
    }
    const change = solve(hessian, gradient);
    beta = beta.map((value, i) => value + (change[i] ?? 0));
    if (Math.max(...change.map(Math.abs)) < CONVERGED) break;
  }
  const [intercept = 0, ...weights] = beta;
  return { intercept, weights };
}

function deviationOf(samples: readonly LabeledFeatures[], at: number): number {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const mean = samples.reduce((sum, { features, weight }) => sum + weight * (features[at] ?? 0), 0) / total;
  return Math.sqrt(
    samples.reduce((sum, { features, weight }) => sum + weight * ((features[at] ?? 0) - mean) ** 2, 0) / total,
  );
}

/** Gaussian elimination with partial pivoting. */
function solve(matrix: readonly number[][], vector: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, vector[i] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const at = (row: number) => Math.abs(rows[row]?.[column] ?? 0);
    let pivot = column;
    for (let row = column + 1; row < size; row++) if (at(row) > at(pivot)) pivot = row;
    const [top, found] = [rows[column] as number[], rows[pivot] as number[]];
    [rows[column], rows[pivot]] = [found, top];
    for (let row = 0; row < size; row++) {
      const other = rows[row] as number[];
      const factor = row === column ? 0 : (other[column] ?? 0) / (found[column] || 1e-12);
      if (factor !== 0) for (let k = column; k <= size; k++) other[k] = (other[k] ?? 0) - factor * (found[k] ?? 0);
    }
  }
  return rows.map((row, i) => (row[size] ?? 0) / (row[i] || 1e-12));
}
