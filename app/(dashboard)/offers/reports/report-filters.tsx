import { CheckboxField, SelectField } from "../../../components/form/fields";
import { browserTimezone, daysBefore } from "../../../format/dates";
import { ChoiceButtons } from "../../components/choice-buttons";
import { DayField } from "../../components/day-field";
import { titleOf } from "./report-csv";
import { FIGURES } from "./report-figures";
import { GROUPS, GROUPS_MAX, type Group, type ReportChoice } from "./report-view";

const RANGES = [
  { label: "Today", days: 1 },
  { label: "7 days", days: 7 },
  { label: "30 days", days: 30 },
  { label: "90 days", days: 90 },
];
const GROUP_LABELS = ["Group by", "Then by", "And by"];

interface Named {
  id: string;
  name: string;
}

interface ReportFiltersProps {
  choice: ReportChoice;
  /** What a report can be limited to. */
  channels: readonly Named[];
  campaigns: readonly Named[];
  onChange: (changes: Record<string, string>) => void;
}

export function ReportFilters({ choice, channels, campaigns, onChange }: ReportFiltersProps) {
  const { from, to, figure, timezone, isCompared } = choice;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Ranges choice={choice} onChange={onChange} />
        <CheckboxField
          name="compare"
          label="Compare with the period before"
          checked={isCompared}
          onChange={(event) => onChange({ compare: event.target.checked ? "1" : "" })}
        />
      </div>
      <div className="grid gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-5">
        <DayField name="from" label="From" value={from} max={to} onChoose={(day) => onChange({ from: day })} />
        <DayField name="to" label="To" value={to} min={from} onChoose={(day) => onChange({ to: day })} />
        <Limit
          name="channel"
          label="Channel"
          chosen={choice.channel}
          choices={[...channels, { id: "network", name: "Other publishers" }]}
          onChange={onChange}
        />
        <Limit
          name="campaign"
          label="Campaign"
          chosen={choice.campaign}
          choices={[...campaigns, { id: "network", name: "Other advertisers" }, { id: "house", name: "House offers" }]}
          onChange={onChange}
        />
        <SelectField
          name="timezone"
          label="Time zone"
          value={timezone}
          onChoose={(timezone) => onChange({ timezone })}
          choices={timezonesWith(timezone)}
        />
        <Groups groups={choice.groups} onChange={onChange} />
        <SelectField
          name="figure"
          label="Plot"
          value={figure.key}
          onChoose={(figure) => onChange({ figure })}
          choices={FIGURES.map(({ key, label }) => ({ value: key, label }))}
        />
      </div>
    </div>
  );
}

interface LimitProps {
  name: "channel" | "campaign";
  label: string;
  chosen: string;
  choices: readonly Named[];
  onChange: ReportFiltersProps["onChange"];
}

/** A choice of one id, or of all; an id in a shared address that is not in the list is kept. */
const Limit = ({ name, label, chosen, choices, onChange }: LimitProps) => (
  <SelectField name={name} label={label} value={chosen} onChange={(event) => onChange({ [name]: event.target.value })}>
    <option value="">All</option>
    {chosen !== "" && !choices.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
    {choices.map(({ id, name: called }) => (
      <option key={id} value={id}>
        {called}
      </option>
    ))}
  </SelectField>
);

/** Up to three groups, each after the first one optional. */
function Groups({ groups, onChange }: { groups: readonly Group[]; onChange: ReportFiltersProps["onChange"] }) {
  const choose = (place: number, name: string) => {
    const next = groups.map((group, i) => (i === place ? name : group));
    if (place >= groups.length) next.push(name as Group);
    // The order of a removed group's successors says nothing without it.
    onChange({ group_by: next.filter(Boolean).join(","), sort: "" });
  };
  return GROUP_LABELS.slice(0, Math.min(GROUPS_MAX, groups.length + 1)).map((label, place) => (
    <SelectField
      key={label}
      name={place === 0 ? "group_by" : `group_by_${place + 1}`}
      label={label}
      value={groups[place] ?? ""}
      onChange={(event) => choose(place, event.target.value)}
    >
      {place > 0 && <option value="">nothing else</option>}
      {GROUPS.filter((group) => group === groups[place] || !groups.includes(group)).map((group) => (
        <option key={group} value={group}>
          {titleOf(group)}
        </option>
      ))}
    </SelectField>
  ));
}

const Ranges = ({ choice: { from, to, today }, onChange }: Pick<ReportFiltersProps, "choice" | "onChange">) => (
  <ChoiceButtons
    legend="Ranges"
    choices={RANGES.map(({ label, days }) => ({ label, from: daysBefore(today, days - 1), to: today }))}
    isChosen={(range) => range.from === from && range.to === to}
    onChoose={(range) => onChange({ from: range.from, to: range.to })}
  />
);

/** UTC, the reader's own and the chosen one first, then all that the browser knows. */
const timezonesWith = (chosen: string): string[] => [
  ...new Set(["UTC", browserTimezone(), chosen, ...Intl.supportedValuesOf("timeZone")]),
];
