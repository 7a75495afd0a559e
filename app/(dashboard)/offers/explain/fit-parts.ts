import type { Explanation } from "./explained-offer";

export type Reading = NonNullable<Explanation["reading"]>;
type FeaturePart = Reading["features"][number];

const LABELS: Readonly<Record<FeaturePart["feature"], string>> = {
  coverage: "Coverage",
  rest: "Words beside the wanted ones",
  aside: "Words in other clauses",
  last_head: "The last word names the item",
  best_head: "A word names the item",
  adjacent: "Words side by side",
  joint: "Words together in titles",
  empty_share: "Words that name nothing",
  question: "Question",
  length: "Number of wanted words",
  specific: "Words of goods",
  unspecific: "Words of everyday text",
  buying: "Words of buying",
  asked: "Words of wishing",
  indefinite: "“a”, “any” or “good” before it",
};

/** One addend of the log-odds. */
export interface FitPart {
  label: string;
  description: string;
  part: number;
  /** The length of its bar, 0 to 1, relative to the largest addend. */
  share: number;
}

/** Why a request has its probability. */
export interface FitParts {
  /** The constant of the model, then the features, largest effect first. */
  parts: FitPart[];
  /** The labels of features without an effect on this request. */
  without: string[];
  /** What all parts sum to. */
  logOdds: number;
}

/** Smaller parts would be shown as 0. */
const PART_SHOWN = 0.005;
const CONSTANT = {
  label: "Start",
  description: "The starting value: without evidence, an item is unlikely to fit.",
};

const NEAREST = {
  label: "Meaning",
  description: "How close the vector of an offer is to that of the query, where words say too little.",
};

type Fit = Pick<Reading, "probability" | "features" | "nearest_part">;

/** The parts of a probability as bars; undefined if there is none. */
export function fitParts({ probability, features, nearest_part }: Fit): FitParts | undefined {
  if (probability === null || features.length === 0) return undefined;
  const logOdds = logOddsOf(probability);
  const named = features.map(({ feature, description, part }) => ({ label: LABELS[feature], description, part }));
  if (nearest_part !== null) named.push({ ...NEAREST, part: nearest_part });
  const constant = { ...CONSTANT, part: logOdds - named.reduce((sum, { part }) => sum + part, 0) };
  const effective = named
    .filter(({ part }) => Math.abs(part) >= PART_SHOWN)
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  const shown = [constant, ...effective];
  const largest = Math.max(...shown.map(({ part }) => Math.abs(part)));
  return {
    parts: shown.map((one) => ({ ...one, share: largest > 0 ? Math.abs(one.part) / largest : 0 })),
    without: named.filter(({ part }) => Math.abs(part) < PART_SHOWN).map(({ label }) => label),
    logOdds,
  };
}

/** Kept off 0 and 1, whose log-odds are infinite. */
const PROBABILITY_MIN = 1e-9;

export const logOddsOf = (probability: number): number => {
  const kept = Math.min(1 - PROBABILITY_MIN, Math.max(PROBABILITY_MIN, probability));
  return Math.log(kept / (1 - kept));
};

/** "+4.51" or "−2.70": an addend with its sign. */
export const signedText = (part: number): string => `${part < 0 ? "−" : "+"}${Math.abs(part).toFixed(2)}`;

/** Rounded down, so that a probability below the threshold never looks as if it reached it. */
export const probabilityText = (probability: number): string => `${Math.floor(probability * 100 + 1e-9)}%`;
