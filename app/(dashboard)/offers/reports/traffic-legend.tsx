import { Section } from "../../../components/ui/card";
import type { Report } from "./report-view";
import { trafficMeaning, trafficName } from "./traffic-text";

/** What the kinds of traffic in a report mean, in the words of its table. */
export function TrafficLegend({ rows }: Pick<Report, "rows">) {
  const kinds = [...new Set(rows.map(({ traffic = "" }) => traffic))].flatMap((traffic) => {
    const meaning = trafficMeaning(traffic);
    return meaning ? [{ name: trafficName(traffic), meaning }] : [];
  });
  return (
    <Section title="Kinds of traffic" description="Only valid impressions and clicks count in figures and money.">
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
        {kinds.map(({ name, meaning }) => (
          <div key={name} className="contents">
            <dt className="font-medium">{name}</dt>
            <dd className="mb-2 text-muted-foreground sm:mb-0">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
