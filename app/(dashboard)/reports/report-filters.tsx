"use client";

import { SelectField, TextField } from "../../components/form/fields";
import { Button } from "../../components/ui/button";
import { Card } from "../../components/ui/card";
import { daysBefore } from "../../format/dates";
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
  const { from, to, group, figure, today } = choice;
  return (
    <Card className="space-y-4 p-4">
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
      <div className="grid gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-4">
        <TextField
          name="from"
          label="From"
          type="date"
          value={from}
          max={to}
          onChange={(event) => event.target.value && onChange({ from: event.target.value })}
        />
        <TextField
          name="to"
          label="To"
          type="date"
          value={to}
          min={from}
          onChange={(event) => event.target.value && onChange({ to: event.target.value })}
        />
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
      </div>
    </Card>
  );
}
