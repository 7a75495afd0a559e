import type { InvertedIndex } from "./inverted-index";
import type { OfferRequest, Signal } from "./offer-request";
import { type Intent, type QueryTerm, readQuery } from "./read-query";

const CONTEXT_WEIGHT = 0.25;
const SIGNAL_WEIGHT = 0.3;
const CONTEXT_TERMS_MAX = 12;
const SIGNALS_MAX = 10;

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
  const query: Need = { source: "query", weight: 1, ...readQuery(request.query, locale) };
  const context: Need = { source: "context", weight: CONTEXT_WEIGHT, ...readQuery(request.context, locale) };
  const signals = request.signals.slice(0, SIGNALS_MAX).map((signal): Need => {
    const weight = SIGNAL_WEIGHT * (signal.confidence ?? 1);
    return { source: "signal", weight, ...readQuery(signalText(signal), locale) };
  });
  signals.sort((a, b) => b.weight - a.weight);
  return [query, known(context, index), ...signals.map((signal) => known(signal, index))].filter(
    ({ terms, weight }) => terms.length > 0 && weight > 0,
  );
}

/** Page texts are long and speak of much that nobody sells: only words that some item has count, the first few. */
const known = (need: Need, index: InvertedIndex): Need => ({
  ...need,
  terms: need.terms.filter(({ word }) => index.postings(word) !== undefined).slice(0, CONTEXT_TERMS_MAX),
});

const signalText = ({ subject, attributes }: Signal): string =>
  [subject, ...Object.values(attributes ?? {}).filter((value) => typeof value === "string")].join(" ; ");
