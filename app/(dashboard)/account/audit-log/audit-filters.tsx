import { SelectField, TextField } from "../../../components/form/fields";
import { Card } from "../../../components/ui/card";
import { browserTimezone, dayOf, daysBefore } from "../../../format/dates";
import { useQueryOf } from "../../../trpc/use-operation";
import { ChoiceButtons } from "../../components/choice-buttons";
import { DayField } from "../../components/day-field";
import { useMode } from "../../components/shell/mode";
import type { AuditFilter } from "./audit-filter";
import { humanize, KIND_LABELS } from "./audit-text";

const RANGES = [
  { label: "All time", days: undefined },
  { label: "Today", days: 1 },
  { label: "7 days", days: 7 },
  { label: "30 days", days: 30 },
];
const KEYS_MAX = 1000;

interface AuditFiltersProps {
  choice: AuditFilter;
  onChange: (changes: Record<string, string>) => void;
}

export function AuditFilters({ choice, onChange }: AuditFiltersProps) {
  const { from, to, target } = choice;
  return (
    <Card className="space-y-4 p-4">
      <Ranges choice={choice} onChange={onChange} />
      <div className="grid gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-5">
        <DayField
          name="from"
          label="From"
          value={from}
          {...(to && { max: to })}
          onChoose={(day) => onChange({ from: day })}
        />
        <DayField
          name="to"
          label="To"
          value={to}
          {...(from && { min: from })}
          onChoose={(day) => onChange({ to: day })}
        />
        <ActionField choice={choice} onChange={onChange} />
        <ActorField choice={choice} onChange={onChange} />
        <TargetField key={target} choice={choice} onChange={onChange} />
      </div>
    </Card>
  );
}

function Ranges({ choice: { from, to }, onChange }: AuditFiltersProps) {
  const today = dayOf(new Date(), browserTimezone());
  const choices = RANGES.map(({ label, days }) =>
    days === undefined ? { label, from: "", to: "" } : { label, from: daysBefore(today, days - 1), to: today },
  );
  return (
    <ChoiceButtons
      legend="Ranges"
      choices={choices}
      isChosen={(range) => range.from === from && range.to === to}
      onChoose={(range) => onChange({ from: range.from, to: range.to })}
    />
  );
}

const ActionField = ({ choice: { action }, onChange }: AuditFiltersProps) => (
  <SelectField
    name="action"
    label="Action"
    value={action}
    onChange={(event) => onChange({ action: event.target.value })}
  >
    <option value="">All actions</option>
    {Object.entries(KIND_LABELS).map(([kind, name]) => (
      <option key={kind} value={`${kind}.*`}>
        {name}
      </option>
    ))}
    {action && !isKind(action) && <option value={action}>{humanize(action)}</option>}
  </SelectField>
);

const isKind = (action: string): boolean => action.endsWith(".*") && action.slice(0, -2) in KIND_LABELS;

function ActorField({ choice: { actor }, onChange }: AuditFiltersProps) {
  const { mode } = useMode();
  const members = useQueryOf("listMembers").data ?? [];
  const keys = useQueryOf("listKeys", { mode, limit: KEYS_MAX }).data?.data ?? [];
  const isKnown = members.some(({ user_id }) => user_id === actor) || keys.some(({ id }) => id === actor);
  return (
    <SelectField
      name="actor_id"
      label="Actor"
      value={actor}
      onChange={(event) => onChange({ actor: event.target.value })}
    >
      <option value="">All actors</option>
      <optgroup label="Members">
        {members.map(({ user_id, email }) => (
          <option key={user_id} value={user_id}>
            {email}
          </option>
        ))}
      </optgroup>
      {keys.length > 0 && (
        <optgroup label={`Keys (${mode})`}>
          {keys.map(({ id, name, last_four }) => (
            <option key={id} value={id}>
              {name} …{last_four}
            </option>
          ))}
        </optgroup>
      )}
      {actor && !isKnown && <option value={actor}>{actor}</option>}
    </SelectField>
  );
}

const TargetField = ({ choice: { target }, onChange }: AuditFiltersProps) => (
  <TextField
    name="target_id"
    label="Target ID"
    className="min-[26rem]:col-span-2 lg:col-span-1"
    placeholder="cmp_…, key_…"
    defaultValue={target}
    spellCheck={false}
    onBlur={(event) => onChange({ target: event.target.value.trim() })}
    onKeyDown={(event) => event.key === "Enter" && onChange({ target: event.currentTarget.value.trim() })}
  />
);
