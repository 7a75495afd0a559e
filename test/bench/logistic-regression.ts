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

const STEPS = 50;
const HALVINGS_MAX = 12;
const CONVERGED = 1e-6;

/**
 * Logistic regression by Newton's method; a step that makes the fit worse is halved. `prior` is what the weights are drawn to, each as strongly as its number of
 * `pulls` samples of standardised features would; the intercept is free.
 */
export function logisticRegression(
  samples: readonly LabeledFeatures[],
  { prior, pulls }: { prior: Model; pulls: readonly number[] },
): Model {
  const size = prior.weights.length + 1;
  const centre = [prior.intercept, ...prior.weights];
  const strengths = [0, ...prior.weights.map((_, i) => (pulls[i] ?? 0) * deviationOf(samples, i) ** 2)];
  const lossOf = (at: readonly number[]) => lossAt(at, samples) + penaltyOf(at, { centre, strengths });
  let beta: readonly number[] = centre;
  let loss = lossOf(beta);
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
    for (let i = 0; i < size; i++) {
      const strength = strengths[i] ?? 0;
      gradient[i] = (gradient[i] ?? 0) - strength * ((beta[i] ?? 0) - (centre[i] ?? 0));
      const row = hessian[i] as number[];
      row[i] = (row[i] ?? 0) + strength;
    }
    let change = solve(hessian, gradient);
    let next = moved(beta, change);
    for (let halving = 0; halving < HALVINGS_MAX && lossOf(next) > loss; halving++) {
      change = change.map((value) => value / 2);
      next = moved(beta, change);
    }
    beta = next;
    loss = lossOf(beta);
    if (Math.max(...change.map(Math.abs)) < CONVERGED) break;
  }
  const [intercept = 0, ...weights] = beta;
  return { intercept, weights };
}

const moved = (beta: readonly number[], change: readonly number[]): number[] =>
  beta.map((value, i) => value + (change[i] ?? 0));

/** The negative logarithm of the likelihood. */
const lossAt = (beta: readonly number[], samples: readonly LabeledFeatures[]): number =>
  samples.reduce((sum, { features, label, weight }) => {
    const logit = features.reduce((total, value, i) => total + value * (beta[i + 1] ?? 0), beta[0] ?? 0);
    const margin = label === 1 ? logit : -logit;
    return sum + weight * (Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin))));
  }, 0);

const penaltyOf = (
  beta: readonly number[],
  { centre, strengths }: { centre: readonly number[]; strengths: readonly number[] },
): number => beta.reduce((sum, value, i) => sum + ((strengths[i] ?? 0) / 2) * (value - (centre[i] ?? 0)) ** 2, 0);

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
