import { correctSpelling } from "./correct-spelling";
import type { InvertedIndex } from "./inverted-index";
import type { OfferRequest, Signal } from "./offer-request";
import { levelOf, PRICE_ATTRIBUTES } from "./price-preference";
import type { Intent } from "./read-intent";
import { type QueryTerm, readQuery } from "./read-query";

const CONTEXT_WEIGHT = 0.25;
const SIGNAL_WEIGHT = 0.3;
const CONTEXT_TERMS_MAX = 12;
const SIGNALS_MAX = 10;
/** A category says less than words of the signal's own, and the one above it less again. */
const PATH_SHARE = 0.6;
const PARENT_SHARE = 0.5;
const PATHS_MAX = 3;

/** One text that says what is wanted, and how much it moves scores beside a stronger one. */
export interface Need {
  source: "query" | "context" | "signal";
  words: readonly string[];
  terms: readonly QueryTerm[];
  intent: Intent;
  weight: number;
}

/** What a request says, strongest first: the query, the page around it, what signals tell. Texts without meaning are left out. */
export function readNeeds(request: OfferRequest, index: InvertedIndex): Need[] {
  const { locale } = request;
  const query: Need = { source: "query", weight: 1, ...correctSpelling(readQuery(request.query, locale), index) };
  const context: Need = { source: "context", weight: CONTEXT_WEIGHT, ...readQuery(request.context, locale) };
  const signals = request.signals.slice(0, SIGNALS_MAX).flatMap((signal): Need[] => {
    const weight = SIGNAL_WEIGHT * (signal.confidence ?? 1);
    const said: Need = { source: "signal", weight, ...readQuery(signalText(signal), locale) };
    return [said, ...categoryNeeds(signal, weight)];
  });
  signals.sort((a, b) => b.weight - a.weight);
  return [query, known(context, index), ...signals.map((signal) => known(signal, index))].filter(
    ({ terms, weight }) => terms.length > 0 && weight > 0,
  );
}

/** What a category is called, and less so what stands above it: "Smartphones", then "Consumer Electronics". */
function categoryNeeds({ paths = [] }: Signal, weight: number): Need[] {
  return paths.slice(0, PATHS_MAX).flatMap((path) => {
    const [name = "", parent = ""] = path.split(" > ").toReversed();
    return [name, parent].map(
      (text, i): Need => ({
        ...{ source: "signal", weight: weight * PATH_SHARE * PARENT_SHARE ** i },
        ...readQuery(text, "en"),
      }),
    );
  });
}

/** Page texts are long and speak of much that nobody sells: only words that some item has count, the first few. */
const known = (need: Need, index: InvertedIndex): Need => ({
  ...need,
  terms: need.terms.filter(({ word }) => index.postings(word) !== undefined).slice(0, CONTEXT_TERMS_MAX),
});

/** What a signal says in words; what it says about prices is read elsewhere. */
function signalText({ category, subject = "", attributes = {} }: Signal): string {
  const isLevel = category === "price_sensitivity" && levelOf(subject) !== undefined;
  // Sorted, because a database gives attributes back in another order than they were sent in.
  const names = Object.keys(attributes).filter((name) => !PRICE_ATTRIBUTES.has(name));
  const values = names.sort().map((name) => attributes[name]);
  return [isLevel ? "" : subject, ...values.filter((value) => typeof value === "string")].join(" ; ");
}
