import { canonicalJson } from "../../kernel/canonical-json";
import { iabPaths } from "./iab-paths";
import type { Signal } from "./signal";

/** A signal and its age. */
export interface DatedSignal {
  signal: Signal;
  ageMs: number;
}

/** A signal in the form that decisions use: all fields are set, and `confidence` has decayed with age. */
export interface SteeringSignal extends Signal {
  category: string;
  confidence: number;
  subject: string;
  /** The category paths of its IAB ids, parent first: "Sports > Hiking". */
  paths: readonly string[];
}

/** After this time the confidence of a signal is halved: buying intent is short-lived. */
export const SIGNAL_HALF_LIFE_MS = 6 * 60 * 60 * 1000;
const STEERING_MAX = 10;
const MINUTE_MS = 60_000;

/** Categories that describe what is wanted; a signal of any other category is stored but does not affect offers. */
const STEERING_CATEGORIES: ReadonlySet<string> = new Set([
  "",
  "purchase_intent",
  "interest",
  "context",
  "brand_affinity",
  "price_sensitivity",
  "budget",
]);

/**
 * The signals that affect a decision: at most 10, the newest distinct ones, each with its confidence halved for every 6
 * hours of age (in whole minutes). The result does not depend on the order of the signals or on how they were sent.
 */
export function steeringSignals(dated: readonly DatedSignal[]): SteeringSignal[] {
  const known = dated.flatMap(({ signal, ageMs }) => {
    const { category = "", subject = "", attributes = {}, iab = null } = signal;
    if (!STEERING_CATEGORIES.has(category)) return [];
    const minutes = Math.max(0, Math.floor(ageMs / MINUTE_MS));
    const confidence = (signal.confidence ?? 1) * 2 ** ((-minutes * MINUTE_MS) / SIGNAL_HALF_LIFE_MS);
    // The database may return attributes in a different order than they were sent.
    const text = canonicalJson({ category, subject, attributes, iab, confidence: signal.confidence ?? 1 });
    const paths = iab ? iabPaths(iab) : [];
    return [{ minutes, text, steering: { ...signal, category, subject, confidence, paths } }];
  });
  known.sort(
    (a, b) => a.minutes - b.minutes || b.steering.confidence - a.steering.confidence || (a.text < b.text ? -1 : 1),
  );
  const distinct = new Map<string, SteeringSignal>();
  for (const { text, steering } of known) if (!distinct.has(text)) distinct.set(text, steering);
  return [...distinct.values()].slice(0, STEERING_MAX);
}
