import type { Explanation } from "./explained-offer";
import { probabilityText } from "./fit-parts";
import { wholePercent } from "./score-bars";

/** Why nothing would be offered, with the figure that decided and its threshold. */
export function silenceText({ reading, fates }: Pick<Explanation, "reading" | "fates">): string {
  if (!reading)
    return "The request has no meaningful words. Name a thing in the query, or describe the page in the context.";
  if (fates.length === 0) return "None of your campaigns was considered: create one, and try again.";
  const { probability, threshold, strictness, best_coverage, coverage_threshold } = reading;
  if (probability !== null && probability < threshold) {
    return `The probability that an offer fits this query is ${probabilityText(probability)}; the channel's strictness, ${strictness}, needs ${wholePercent(threshold)}. Name the thing more exactly, or relax the strictness.`;
  }
  if (coverage_threshold !== null && best_coverage < coverage_threshold) {
    return `The best match covers ${probabilityText(best_coverage)} of the text; at least ${wholePercent(coverage_threshold)} is needed. Describe more exactly what the page is about.`;
  }
  return "The request would return no offers. The reasons are listed below: broaden a campaign's keywords or targeting, or try another query.";
}
