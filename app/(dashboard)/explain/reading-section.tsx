import { Section } from "../../components/ui/card";
import { Bars } from "./bars";
import type { Explanation } from "./explained";
import { wholePercent } from "./score-bars";

type Reading = NonNullable<Explanation["reading"]>;

const WORDS_SHOWN = 12;
const SOURCES: Record<Reading["source"], string> = {
  query: "The query decided what fits.",
  context: "The context decided what fits: the query says nothing.",
  signal: "What is remembered of the visitor decided what fits: query and context say nothing.",
};
const INTENTS: Record<Reading["intent"], string> = {
  buy: "It reads like a wish to buy.",
  ask: "It reads like a question about the world, which offers must cover almost wholly.",
  plain: "It names a thing, without words of asking or buying.",
};

/** How a request was understood: its words with their weights, and how much of them an offer had to cover. */
export const ReadingSection = ({ reading }: { reading: Reading }) => (
  <Section title="How it was read" description={`${SOURCES[reading.source]} ${INTENTS[reading.intent]}`}>
    <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
      <Words words={reading.words} />
      <Coverage reading={reading} />
    </div>
  </Section>
);

function Words({ words }: Pick<Reading, "words">) {
  const shown = words.toSorted((a, b) => b.weight - a.weight).slice(0, WORDS_SHOWN);
  const heaviest = shown[0]?.weight ?? 1;
  const bars = shown.map(({ word, weight }) => ({
    label: word,
    share: weight / heaviest,
    text: weight.toFixed(2),
    tone: "factor" as const,
  }));
  return (
    <div className="min-w-0 space-y-2">
      <h3 className="font-medium text-sm">Words that carry meaning</h3>
      <p className="text-muted-foreground text-xs">In the form in which they are looked up; rare words weigh more.</p>
      <Bars bars={bars} />
      {words.length > shown.length && (
        <p className="text-muted-foreground text-xs">and {words.length - shown.length} lighter ones</p>
      )}
    </div>
  );
}

function Coverage({ reading: { best_coverage, needed_coverage } }: { reading: Reading }) {
  const best = wholePercent(best_coverage);
  return (
    <div className="min-w-0 space-y-2">
      <h3 className="font-medium text-sm">Coverage</h3>
      <p className="text-muted-foreground text-xs">How much of the words' weight an offer has in its own words.</p>
      <Bars
        bars={[
          { label: "Best match", share: best_coverage, text: best, tone: "fit", mark: needed_coverage ?? undefined },
        ]}
      />
      <p className="text-sm">
        {needed_coverage === null
          ? best_coverage === 0
            ? "No offer has any of these words: nothing is offered."
            : `Even the best match covers only ${best}, which is too little: nothing is offered.`
          : `An offer must cover at least ${wholePercent(needed_coverage)}, the mark on the bar; the best match covers ${best}.`}
      </p>
    </div>
  );
}
