import { Section } from "../../../components/ui/card";
import { Link } from "../../../components/ui/link";
import { Bars } from "./bars";
import type { Reading } from "./fit-parts";
import { FitPlot } from "./fit-plot";
import { PartsTable } from "./parts-table";
import { ReadWords } from "./read-words";
import { wholePercent } from "./score-bars";

const SOURCES: Record<Reading["source"], string> = {
  query: "Matched by the query.",
  context: "Matched by the context, because the query has no usable words.",
  signal: "Matched by the visitor's signals, because query and context have no usable words.",
};

interface ReadingSectionProps {
  reading: Reading;
  /** null: any other publisher's channel. */
  channelId: string | null;
}

/** How the request was interpreted: its words, how likely an offer fits it, and what an offer must cover. */
export const ReadingSection = ({ reading, channelId }: ReadingSectionProps) => (
  <Section title="How the request was interpreted" description={SOURCES[reading.source]}>
    <div className="space-y-8">
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <ReadWords words={reading.words} />
        <div className="min-w-0 space-y-6">
          <Probability reading={reading} channelId={channelId} />
          <Coverage reading={reading} />
        </div>
      </div>
      <PartsTable reading={reading} />
    </div>
  </Section>
);

function Probability({ reading: { probability, threshold, strictness }, channelId }: ReadingSectionProps) {
  return (
    <div className="min-w-0 space-y-2">
      <h3 className="font-medium text-sm">Probability of fit</h3>
      {probability === null ? (
        <p className="text-muted-foreground text-sm">
          Only a query has a probability. A page or a signal only needs a best match that covers enough of it.
        </p>
      ) : (
        <>
          <FitPlot probability={probability} threshold={threshold} />
          <p className="text-sm">
            {probability >= threshold
              ? "It is likely enough that an offer fits the query."
              : "It is not likely enough that an offer fits the query: only creatives whose keywords match it are offered."}{" "}
            {channelId ? (
              <>
                The channel&apos;s strictness,{" "}
                <Link href={`/offers/channels/${channelId}`} className="underline underline-offset-2">
                  {strictness}
                </Link>
                , needs {wholePercent(threshold)}.
              </>
            ) : (
              `The default strictness of channels, ${strictness}, needs ${wholePercent(threshold)}.`
            )}
          </p>
        </>
      )}
    </div>
  );
}

function Coverage({ reading }: { reading: Reading }) {
  const { best_coverage, needed_coverage, coverage_threshold } = reading;
  const best = wholePercent(best_coverage);
  return (
    <div className="min-w-0 space-y-2">
      <h3 className="font-medium text-sm">Coverage</h3>
      <p className="text-muted-foreground text-xs">How many of the wanted words an offer has; rare words count more.</p>
      <Bars bars={[{ label: "Best match", share: best_coverage, text: best, tone: "fit", mark: markOf(reading) }]} />
      <p className="text-sm">
        {needed_coverage !== null
          ? `An offer must cover at least ${wholePercent(needed_coverage)}, the mark on the bar; the best match covers ${best}.`
          : best_coverage === 0
            ? "No offer has any of these words."
            : coverage_threshold !== null
              ? `Nothing is offered: the best match must cover at least ${wholePercent(coverage_threshold)}, the mark on the bar, and covers ${best}.`
              : `The best match covers ${best}.`}
      </p>
    </div>
  );
}

const markOf = ({ needed_coverage, coverage_threshold }: Reading): number | undefined =>
  needed_coverage ?? coverage_threshold ?? undefined;
