import { writeFileSync } from "node:fs";
import path from "node:path";
import { FEATURES, type Feature } from "../../server/ads/ranking/fit-features";
import { type JudgedFolder, readFolder, relevanceDir } from "./judged-folder";
import { type LabeledFeatures, logisticRegression, type Model } from "./logistic-regression";
import { makeCatalogues } from "./made-catalogues";
import { makeQuerySets } from "./made-queries";
import { fitOfQuery, stateOf } from "./our-engines";
import { OUT_OF_SCOPE_DEV } from "./out-of-scope-dev";
import { readQuestions } from "./questions";

const FILE = path.join("server", "ads", "ranking", "fit-model.json");
/**
 * What a study over two shops of unlike trades found; our weights are drawn to these, because one folder has one trade.
 * What is not among these was not in the study.
 */
const STUDY: Partial<Record<Feature, number>> = {
  ...{ coverage: 4.9, rest: -2.7, last_head: 0.83, best_head: 0.72, adjacent: 1.3, joint: 0.95, empty_share: -2.35 },
  ...{ question: -1.15, length: 1.7, specific: 0.55, unspecific: 0.25 },
};
const PRIOR: Model = { intercept: -5.33, weights: FEATURES.map((feature) => STUDY[feature] ?? 0) };
const PULLS = FEATURES.map((feature) => (STUDY[feature] === undefined ? 100 : 2000));
/** Sets whose requests have more words than the wanted thing. */
const IN_SENTENCES = /framed|extra words/;
/** The share of the questions nobody fitted the word list with that may get an offer. */
const SERVED = { relaxed: 0.03, balanced: 0.01, strict: 0.006 };

/**
 * Fits the model of fit on catalogues made of the folder: requests with a relevant product against unrelated ones, held
 * out frames never. Writes fit-model.json.
 */
export async function run(print: (line: string) => void, dir = relevanceDir()): Promise<void> {
  if (!dir) return print("fit-model: skipped, set SVC_RELEVANCE_DATA to a folder with a judged catalogue.");
  const samples = samplesOf(readFolder(dir), { questions: readQuestions(dir).forFit, print });
  const model = logisticRegression(samples, { prior: PRIOR, pulls: PULLS });
  const scores = samples
    .filter(({ isQuestion }) => isQuestion)
    .map((sample) => ({ probability: probabilityOf(model, sample.features), weight: sample.weight }))
    .sort((a, b) => b.probability - a.probability);
  const thresholds = Object.fromEntries(
    Object.entries(SERVED).map(([strictness, share]) => [strictness, quantile(scores, share)]),
  );
  const weights = Object.fromEntries(FEATURES.map((feature, i) => [feature, rounded(model.weights[i] ?? 0)]));
  writeFileSync(FILE, `${JSON.stringify({ intercept: rounded(model.intercept), weights, thresholds }, null, 2)}\n`);
  print(`${samples.length} samples; ${JSON.stringify({ intercept: model.intercept, weights, thresholds })}`);
}

interface Reading {
  questions: readonly string[];
  print: (line: string) => void;
}

function samplesOf(folder: JudgedFolder, { questions, print }: Reading): Sample[] {
  return makeCatalogues(folder).flatMap((catalogue) => {
    const state = stateOf(catalogue);
    const read = (query: string, label: 0 | 1): Sample[] => {
      const fit = fitOfQuery(state, query);
      return fit ? [{ features: fit.parts.map(({ value }) => value), label, weight: 1, isQuestion: false }] : [];
    };
    const sets = makeQuerySets(catalogue.items, folder.judgments).filter(({ isHeldOut }) => !isHeldOut);
    // Sets weigh the same however many requests they have, but sentences, which are harder to tell from questions, double.
    const shares = sets.map(({ name }) => (IN_SENTENCES.test(name) ? 2 : 1));
    const total = shares.reduce((sum, share) => sum + share, 0);
    const fitting = sets.flatMap(({ asked }, i) =>
      weighed(
        asked.flatMap(({ query }) => read(query, 1)),
        (shares[i] ?? 1) / total,
      ),
    );
    const asked = questions.flatMap((query) => read(query, 0)).map((sample) => ({ ...sample, isQuestion: true }));
    const other = [
      ...weighed(asked, 0.5),
      ...weighed(
        OUT_OF_SCOPE_DEV.flatMap((query) => read(query, 0)),
        0.5,
      ),
    ];
    print(`${catalogue.name}: ${fitting.length} requests that fit, ${other.length} that do not`);
    return [...fitting, ...other];
  });
}

interface Sample extends LabeledFeatures {
  /** Whether the thresholds are set with it. */
  isQuestion: boolean;
}

/** The same samples with weights that sum to `total` thousand. */
const weighed = (samples: readonly Sample[], total: number): Sample[] =>
  samples.map((sample) => ({ ...sample, weight: (1000 * total) / samples.length }));

const probabilityOf = ({ intercept, weights }: Model, features: readonly number[]): number =>
  1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * (features[i] ?? 0), intercept)));

/** The probability that this share of the weight exceeds. */
function quantile(scores: readonly { probability: number; weight: number }[], share: number): number {
  const total = scores.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const { probability, weight } of scores) {
    passed += weight;
    if (passed > share * total) return Math.round(probability * 1000) / 1000;
  }
  return 0;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
