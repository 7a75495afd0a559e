import { SearchX } from "lucide-react";
import { Alert } from "../../components/ui/alert";
import { Section } from "../../components/ui/card";
import { Empty } from "../../components/ui/empty";
import { formatCount } from "../../format/numbers";
import { type Explanation, withOutcome } from "./explained";
import { FateTable } from "./fate-table";
import { Losses } from "./losses";
import { ReadingSection } from "./reading-section";
import { scalesOf } from "./score-bars";

const RUNNERS_UP_SHOWN = 3;

interface ResultProps {
  explanation: Explanation;
  /** ISO 4217, or empty while it is not known. */
  currency: string;
}

/** Winners, runners-up, how the request was read, and everything that was left out. */
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
          description="Value is what 1,000 views are expected to bring; newcomers, hardly seen so far, get a bonus. The price is the least bid that keeps the place, and the bid itself where no rival stands behind."
        >
          <FateTable caption="Offered, best first" fates={offered} scales={scales} placed />
        </Section>
      ) : (
        <NothingOffered explanation={explanation} />
      )}
      {reading && <ReadingSection reading={reading} />}
      {runnersUp.length > 0 && (
        <Section
          title="Runners-up"
          description="They fit, and move up where a frequency cap keeps an offer above them from a visitor."
        >
          <FateTable
            caption="Runners-up, best first"
            fates={runnersUp}
            scales={scales}
            placed
            shown={RUNNERS_UP_SHOWN}
          />
        </Section>
      )}
      {fates.some(({ outcome }) => outcome === "left_out") && <Losses fates={fates} scales={scales} />}
      {truncated && <Alert tone="warn">There is more: only the first 1,000 offers are listed.</Alert>}
      {network_left_out > 0 && (
        <p className="text-muted-foreground text-sm">
          {formatCount(network_left_out)} offers and campaigns of other advertisers were considered and left out; what
          became of them is told to their owners alone.
        </p>
      )}
    </>
  );
}

const NothingOffered = ({ explanation: { reading, fates } }: { explanation: Explanation }) => (
  <Empty icon={SearchX} title="Nothing would be offered">
    {!reading
      ? "The request has no words with meaning. Ask for a thing by its name, or describe the page in the context."
      : fates.length === 0
        ? "None of your campaigns was considered: create one, and ask again."
        : "The page would stay as it is. The reasons stand below: widen a campaign's words or targeting, or ask for something else."}
  </Empty>
);
