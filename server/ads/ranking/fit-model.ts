import type { Strictness } from "../serving/serving";
import { FEATURES, type Feature, type Features } from "./fit-features";
import model from "./fit-model.json" with { type: "json" };

/** A feature of a request, and what it adds to the logit of the probability. */
export interface FeaturePart {
  feature: Feature;
  value: number;
  part: number;
}

/** How likely an item fits the request, 0 to 1, and why. */
export interface Fit {
  probability: number;
  parts: readonly FeaturePart[];
}

/**
 * The probability that what was found fits the request: a logistic model over the features, calibrated for as many
 * requests that fit as requests that do not. fit-model.json is a logistic regression, drawn to the weights of a study over
 * two shops of unlike trades, on a judged catalogue: requests with a relevant product, plain and in sentences, against
 * questions of clinc/oos-eval (CC BY 3.0) and others that no shop answers. Its thresholds are the probabilities that 3 %,
 * 1 % and 0.6 % of these questions exceed.
 */
export function fitOf(features: Features): Fit {
  let logit = model.intercept;
  const parts = FEATURES.map((feature): FeaturePart => {
    const value = features[feature];
    const part = value * model.weights[feature];
    logit += part;
    return { feature, value, part };
  });
  return { probability: 1 / (1 + Math.exp(-logit)), parts };
}

/** The probability from which a channel of this strictness shows offers. */
export const thresholdOf = (strictness: Strictness): number => model.thresholds[strictness];
