"use client";

import { SelectField } from "../../../../components/form/fields";
import { humanize } from "../../../account/audit-log/audit-text";
import { useKinds } from "../use-kinds";
import { DELIVERY_STATUSES } from "./delivery";
import { type DeliveryFilter, RANGES } from "./delivery-filter";

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onChange: (changes: Record<string, string>) => void;
}

export function DeliveryFilters({ filter: { status, kind, range }, onChange }: DeliveryFiltersProps) {
  const choose = (name: string) => (event: { target: { value: string } }) => onChange({ [name]: event.target.value });
  return (
    <div className="grid gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-3">
      <SelectField name="status" label="Status" value={status} onChange={choose("status")}>
        <option value="">All</option>
        {DELIVERY_STATUSES.map((one) => (
          <option key={one} value={one}>
            {humanize(one)}
          </option>
        ))}
      </SelectField>
      <SelectField name="range" label="Created in the last" value={range} onChange={choose("range")}>
        {RANGES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <KindField value={kind} onChange={choose("kind")} />
    </div>
  );
}

function KindField({ value, onChange }: { value: string; onChange: (event: { target: { value: string } }) => void }) {
  const kinds = useKinds().data?.data ?? [];
  return (
    <SelectField name="kind" label="Kind" value={value} onChange={onChange}>
      <option value="">All kinds</option>
      {kinds.map(({ type }) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
      {value && !kinds.some(({ type }) => type === value) && <option value={value}>{value}</option>}
    </SelectField>
  );
}
