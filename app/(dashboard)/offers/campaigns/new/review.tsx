import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { useOwnChannels } from "../use-own-channels";
import { reviewRows } from "./review-rows";
import { STEPS } from "./steps";

interface ReviewProps {
  /** The form as it was when the last step was shown. */
  fields: FormData | undefined;
  advertisers: { id: string; name: string }[];
  onGo: (step: number) => void;
}

/** What was chosen in the steps before, to look through before the campaign is created. */
export function Review({ fields, advertisers, onGo }: ReviewProps) {
  const channels = useOwnChannels(undefined).data?.data ?? [];
  const nameOf = (id: string) => [...advertisers, ...channels].find((one) => one.id === id)?.name ?? id;
  const rows = fields ? readableRows(fields, nameOf) : [];
  return (
    <Section
      title="Review"
      description="Everything except the advertiser, the mode and the price model can be changed later."
    >
      <div className="space-y-4">
        {STEPS.slice(0, -1).map(({ title }, i) => (
          <div key={title} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 rounded-lg border p-4">
            <dl className="grid min-w-0 flex-1 basis-64 gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
              {rows
                .filter(({ step }) => step === i + 1)
                .map(({ label, text }) => (
                  <div key={label} className="contents">
                    <dt className="text-muted-foreground">{label}</dt>
                    <dd className="break-words max-sm:mb-1.5">{text}</dd>
                  </div>
                ))}
            </dl>
            <Button variant="outline" size="sm" onClick={() => onGo(i + 1)} aria-label={`Change: ${title}`}>
              Change
            </Button>
          </div>
        ))}
      </div>
    </Section>
  );
}

/** The browser's Forward leads here past a step that has become invalid; creating reports it at its field. */
function readableRows(fields: FormData, nameOf: (id: string) => string) {
  try {
    return reviewRows(fields, nameOf);
  } catch {
    return [];
  }
}
