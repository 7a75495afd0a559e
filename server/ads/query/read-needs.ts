import type { OfferRequest, Signal } from "../serving/offer-request";
import { levelOf, PRICE_ATTRIBUTES } from "./price-preference";
import { type ReadQuery, readQuery } from "./read-query";
import type { Vocabulary } from "./vocabulary";

const CONTEXT_WEIGHT = 0.25;
const SIGNAL_WEIGHT = 0.3;
const CONTEXT_TERMS_MAX = 12;
const SIGNALS_MAX = 10;
/** A category is weighted less than the signal's own words, and its parent category less again. */
const PATH_SHARE = 0.6;
const PARENT_SHARE = 0.5;
const PATHS_MAX = 3;

/** One text that describes what is wanted, and its weight relative to stronger texts. */
export interface Need extends ReadQuery {
  source: "query" | "context" | "signal";
  weight: number;
}

/**
 * The texts of a request, strongest first: the query, the page context, then signals. Texts without meaningful words
 * are omitted.
 */
export function readNeeds(request: OfferRequest, vocabulary: Vocabulary): Need[] {
  const { locale } = request;
  const query: Need = { source: "query", weight: 1, ...readQuery(request.query, locale, vocabulary) };
  const context: Need = {
    source: "context",
    weight: CONTEXT_WEIGHT,
    ...readQuery(request.context, locale, vocabulary),
  };
  const signals = request.signals.slice(0, SIGNALS_MAX).flatMap((signal): Need[] => {
    const weight = SIGNAL_WEIGHT * (signal.confidence ?? 1);
    const said: Need = { source: "signal", weight, ...readQuery(signalText(signal), locale, vocabulary) };
    return [said, ...categoryNeeds(signal, weight, vocabulary)];
  });
  signals.sort((a, b) => b.weight - a.weight);
  return [query, known(context), ...signals.map(known)].filter(({ terms, weight }) => terms.length > 0 && weight > 0);
}

/** The name of a category and, with less weight, of its parent: "Smartphones", then "Consumer Electronics". */
function categoryNeeds({ paths = [] }: Signal, weight: number, vocabulary: Vocabulary): Need[] {
  return paths.slice(0, PATHS_MAX).flatMap((path) => {
    const [name = "", parent = ""] = path.split(" > ").toReversed();
    return [name, parent].map(
      (text, i): Need => ({
        source: "signal",
        weight: weight * PATH_SHARE * PARENT_SHARE ** i,
        ...readQuery(text, "en", vocabulary),
      }),
    );
  });
}

/** Page texts are long and mention much that nobody sells, so only the first few words that occur in an item count. */
function known(need: Need): Need {
  const terms = need.terms.filter(
    ({ found, form }, i, all) =>
      (found === "known" || found === "synonym") && all.findIndex((other) => other.form === form) === i,
  );
  return { ...need, terms: terms.slice(0, CONTEXT_TERMS_MAX) };
}

/** The words of a signal; price information is read elsewhere. */
function signalText({ category, subject = "", attributes = {} }: Signal): string {
  const isLevel = category === "price_sensitivity" && levelOf(subject) !== undefined;
  // Sorted, because the database may return attributes in a different order.
  const names = Object.keys(attributes).filter((name) => !PRICE_ATTRIBUTES.has(name));
  const values = names.sort().map((name) => attributes[name]);
  return [isLevel ? "" : subject, ...values.filter((value) => typeof value === "string")].join(" ; ");
}
