import { SearchX } from "lucide-react";
import { Alert } from "../../../components/ui/alert";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { formatCount } from "../../../format/numbers";
import { type Explanation, withOutcome } from "./explained-offer";
import { Losses } from "./losses";
import { OfferTable } from "./offer-table";
import { ReadingSection } from "./reading-section";
import { scalesOf } from "./score-bars";
import { silenceText } from "./silence-text";

const RUNNERS_UP_SHOWN = 3;

interface ResultProps {
  explanation: Explanation;
  /** ISO 4217, or empty while it is not known. */
  currency: string;
}

/** Winners, runners-up, the interpretation of the request, and all excluded offers. */
export function Result({ explanation, currency }: ResultProps) {
  const { fates, reading, network_left_out, truncated } = explanation;
  const scales = scalesOf(explanation, currency);
  const offered = withOutcome(explanation, "offered");
  const runnersUp = withOutcome(explanation, "runner_up");
  return (
    <>
      {offered.length > 0 ? (
        <Section
          title="Offered"
          description="Value is the expected revenue of 1,000 views; new offers with few views get a bonus. The price is the lowest bid that keeps the rank, or the reserve price if no other offer competes."
        >
          <OfferTable caption="Offered, best first" offers={offered} scales={scales} isRanked />
        </Section>
      ) : (
        <NothingOffered explanation={explanation} />
      )}
      {reading && <ReadingSection reading={reading} channelId={explanation.channel_id} />}
      {runnersUp.length > 0 && (
        <Section
          title="Runners-up"
          description="They match, and move up when a frequency cap removes an offer above them."
        >
          <OfferTable
            caption="Runners-up, best first"
            offers={runnersUp}
            scales={scales}
            isRanked
            shown={RUNNERS_UP_SHOWN}
          />
        </Section>
      )}
      {fates.some(({ outcome }) => outcome === "left_out") && <Losses fates={fates} scales={scales} />}
      {truncated && <Alert tone="warn">There is more: only the first 1,000 offers are listed.</Alert>}
      {network_left_out > 0 && (
        <p className="text-muted-foreground text-sm">
          {formatCount(network_left_out)} offers and campaigns of other advertisers were considered and left out; only
          their owners can see the details.
        </p>
      )}
    </>
  );
}

const NothingOffered = ({ explanation }: { explanation: Explanation }) => (
  <EmptyState icon={SearchX} title="Nothing would be offered">
    {silenceText(explanation)}
  </EmptyState>
);
