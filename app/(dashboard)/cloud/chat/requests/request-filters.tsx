"use client";

import { useQuery } from "@tanstack/react-query";
import { SelectField } from "../../../../components/form/fields";
import { useTRPC } from "../../../../trpc/client";
import { humanize } from "../../../account/audit-log/audit-text";
import { useMode } from "../../../components/shell/mode";
import { RANGES, type RequestFilter, STATUSES } from "./request-filter";

const KEYS_MAX = 200;

interface RequestFiltersProps {
  filter: RequestFilter;
  /** The models of the requests that are shown. */
  models: readonly string[];
  onChange: (changes: Record<string, string>) => void;
}

export function RequestFilters({ filter, models, onChange }: RequestFiltersProps) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const keys = useQuery(trpc.listKeys.queryOptions({ mode, limit: KEYS_MAX })).data?.data ?? [];
  const offered = useQuery(trpc.listChatModels.queryOptions({ mode })).data?.data ?? [];
  const names = [...new Set([...offered.map(({ id }) => id), ...models, filter.model])].filter(Boolean).sort();
  const choose = (name: string) => (event: { target: { value: string } }) => onChange({ [name]: event.target.value });
  return (
    <div className="grid gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-4">
      <SelectField name="status" label="Status" value={filter.status} onChange={choose("status")}>
        <option value="">All</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {humanize(status)}
          </option>
        ))}
      </SelectField>
      <SelectField name="model" label="Model" value={filter.model} onChange={choose("model")}>
        <option value="">All models</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField name="key" label="API key" value={filter.key} onChange={choose("key")}>
        <option value="">All, and the playground</option>
        {keys.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {filter.key && !keys.some(({ id }) => id === filter.key) && <option value={filter.key}>{filter.key}</option>}
      </SelectField>
      <SelectField name="range" label="In the last" value={filter.range} onChange={choose("range")}>
        {RANGES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
