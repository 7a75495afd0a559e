"use client";

import { ChevronRight } from "lucide-react";
import { Badge } from "../../components/ui/badge";
import { Section } from "../../components/ui/card";
import { formatCount } from "../../format/numbers";
import { type Explained, keyOf, type Loss, lossesOf, STAGES } from "./explained";
import { FateTable } from "./fate-table";
import { OfferName } from "./offer-name";
import type { Scales } from "./score-bars";

const SHOWN = 3;

interface LossesProps {
  fates: readonly Explained[];
  scales: Scales;
}

/** What was left out, by the stage at which it was lost, and there by reason. */
export function Losses({ fates, scales }: LossesProps) {
  const losses = lossesOf(fates);
  const nearest = losses[0];
  const stages = STAGES.map(({ stage, title }) => ({ title, lost: losses.filter((loss) => loss.stage === stage) }));
  return (
    <Section title="Left out" description="Nearest to winning first. Open a reason to see what it held back.">
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

/** A table where scores are known; where a filter spoke before any word was compared, names alone. */
function LossList({ loss: { name, fates }, scales }: { loss: Loss; scales: Scales }) {
  if (fates.some(({ coverage, value }) => coverage > 0 || value !== null)) {
    return <FateTable caption={`Left out: ${name}`} fates={fates} scales={scales} shown={SHOWN} />;
  }
  return (
    <ul className="grid gap-x-6 gap-y-3 py-2 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {fates.map((fate) => (
        <li key={keyOf(fate)}>
          <OfferName fate={fate} />
        </li>
      ))}
    </ul>
  );
}
