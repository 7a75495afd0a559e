"use client";

import { SelectField } from "../../../components/form/fields";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { browserTimezone, daysBefore } from "../../../format/dates";
import { DayField } from "../../components/day-field";
import { FIGURES, GROUPS, type ReportChoice } from "./report-view";

const RANGES = [
  { label: "Today", days: 1 },
  { label: "7 days", days: 7 },
  { label: "30 days", days: 30 },
  { label: "90 days", days: 90 },
];

interface ReportFiltersProps {
  choice: ReportChoice;
  onChange: (changes: Record<string, string>) => void;
}

export function ReportFilters({ choice, onChange }: ReportFiltersProps) {
  const { from, to, group, figure, timezone } = choice;
  return (
    <Card className="space-y-4 p-4">
      <Ranges choice={choice} onChange={onChange} />
      <div className="grid gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-5">
        <DayField name="from" label="From" value={from} max={to} onChoose={(day) => onChange({ from: day })} />
        <DayField name="to" label="To" value={to} min={from} onChoose={(day) => onChange({ to: day })} />
        <SelectField
          name="group_by"
          label="Group by"
          value={group}
          onChange={(event) => onChange({ group_by: event.target.value })}
        >
          {GROUPS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <SelectField
          name="figure"
          label="Plot"
          value={figure.key}
          onChange={(event) => onChange({ figure: event.target.value })}
        >
          {FIGURES.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          name="timezone"
          label="Time zone"
          value={timezone}
          onChange={(event) => onChange({ timezone: event.target.value })}
        >
          {timezonesWith(timezone).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </div>
    </Card>
  );
}

const Ranges = ({ choice: { from, to, today }, onChange }: ReportFiltersProps) => (
  <fieldset className="flex flex-wrap gap-2">
    <legend className="sr-only">Ranges</legend>
    {RANGES.map(({ label, days }) => {
      const first = daysBefore(today, days - 1);
      const isChosen = from === first && to === today;
      return (
        <Button
          key={label}
          size="sm"
          variant={isChosen ? "primary" : "outline"}
          aria-pressed={isChosen}
          onClick={() => onChange({ from: first, to: today })}
        >
          {label}
        </Button>
      );
    })}
  </fieldset>
);

/** UTC, the reader's own and the chosen one first, then all that the browser knows. */
const timezonesWith = (chosen: string): string[] => [
  ...new Set(["UTC", browserTimezone(), chosen, ...Intl.supportedValuesOf("timeZone")]),
];
