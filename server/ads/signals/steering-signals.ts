import { iabPaths } from "./iab/iab-paths";
import type { Signal } from "./signal";

/** A signal, and how long ago it was shown. */
export interface DatedSignal {
  signal: Signal;
  ageMs: number;
}

/** A signal as decisions read it: nothing is missing, and `confidence` has faded with age. */
export interface SteeringSignal extends Signal {
  category: string;
  confidence: number;
  subject: string;
  /** What its IAB ids mean, parent first: "Sports > Hiking". */
  paths: readonly string[];
}

/** What a visitor wanted this long ago counts half: intent to buy is short-lived. */
export const SIGNAL_HALF_LIFE_MS = 6 * 60 * 60 * 1000;
const STEERING_MAX = 10;
const MINUTE_MS = 60_000;

/** Categories that say something about what is wanted; a signal of any other is kept and steers nothing. */
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
 * The signals that steer a decision: at most 10, the newest distinct ones, each with its confidence halved for every 6
 * hours of its age (in whole minutes). The answer depends neither on the order nor on the way in which they came.
 */
export function steeringSignals(dated: readonly DatedSignal[]): SteeringSignal[] {
  const known = dated.flatMap(({ signal, ageMs }) => {
    const { category = "", subject = "", attributes = {}, iab = null } = signal;
    if (!STEERING_CATEGORIES.has(category)) return [];
    const minutes = Math.max(0, Math.floor(ageMs / MINUTE_MS));
    const confidence = (signal.confidence ?? 1) * 2 ** ((-minutes * MINUTE_MS) / SIGNAL_HALF_LIFE_MS);
    const text = canonical({ category, subject, attributes, iab, confidence: signal.confidence ?? 1 });
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

/** JSON with sorted keys: a database gives attributes back in another order than they were sent in. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
