import { ChevronRight } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Section } from "../../../components/ui/card";
import { formatCount } from "../../../format/numbers";
import { type ExplainedOffer, groupLosses, type Loss, offerKey, STAGES } from "./explained-offer";
import { OfferName } from "./offer-name";
import { OfferTable } from "./offer-table";
import type { Scales } from "./score-bars";

const SHOWN = 3;

interface LossesProps {
  fates: readonly ExplainedOffer[];
  scales: Scales;
}

/** Excluded offers, by stage and then by reason. */
export function Losses({ fates, scales }: LossesProps) {
  const losses = groupLosses(fates);
  const nearest = losses[0];
  const stages = STAGES.map(({ stage, title }) => ({ title, lost: losses.filter((loss) => loss.stage === stage) }));
  return (
    <Section title="Left out" description="Closest to winning first. Open a reason to see its offers.">
      <div className="space-y-6">
        {stages
          .filter(({ lost }) => lost.length > 0)
          .map(({ title, lost }) => (
            <div key={title} className="space-y-2">
              <h3 className="font-medium text-muted-foreground text-xs">{title}</h3>
              <div className="divide-y rounded-lg border">
                {lost.map((loss) => (
                  <LossGroup
                    key={loss.reason}
                    loss={loss}
                    scales={scales}
                    open={loss === nearest || loss.stage === "ranking"}
                  />
                ))}
              </div>
            </div>
          ))}
      </div>
    </Section>
  );
}

interface LossGroupProps {
  loss: Loss;
  scales: Scales;
  /** Whether it begins open. */
  open: boolean;
}

const LossGroup = ({ loss, scales, open }: LossGroupProps) => (
  <details className="group" open={open}>
    <summary className="flex cursor-pointer list-none items-start gap-2.5 rounded-lg px-3 py-3 hover:bg-muted/40 sm:px-4 [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden
        className="mt-0.5 size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
      />
      <span className="min-w-0 flex-1 space-y-0.5">
        <span className="block font-medium text-sm">{loss.name}</span>
        <span className="block text-muted-foreground text-sm">{loss.explanation}</span>
      </span>
      <Badge className="tabular-nums">
        {formatCount(loss.fates.length)}
        <span className="sr-only"> left out</span>
      </Badge>
    </summary>
    <div className="border-t px-3 py-2 sm:px-4">
      <LossList loss={loss} scales={scales} />
    </div>
  </details>
);

/** A table where scores are known; only names where a filter excluded the offers before scoring. */
function LossList({ loss: { name, fates }, scales }: { loss: Loss; scales: Scales }) {
  if (fates.some(({ coverage, value }) => coverage > 0 || value !== null)) {
    return <OfferTable caption={`Left out: ${name}`} offers={fates} scales={scales} shown={SHOWN} />;
  }
  return (
    <ul className="grid gap-x-6 gap-y-3 py-2 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {fates.map((fate) => (
        <li key={offerKey(fate)}>
          <OfferName fate={fate} />
        </li>
      ))}
    </ul>
  );
}
