"use client";

import { SelectField } from "../../../components/form/fields";
import { useProjects } from "../../account/api-keys/use-projects";
import { groupKinds } from "../webhooks/kind-groups";
import { useKinds } from "../webhooks/use-kinds";

interface EventFiltersProps {
  /** A kind, a prefix such as `campaign.*`, or empty. */
  kind: string;
  project: string;
  onChange: (changes: Record<string, string>) => void;
}

export function EventFilters({ kind, project, onChange }: EventFiltersProps) {
  const groups = groupKinds(useKinds().data?.data ?? []);
  const { projects } = useProjects();
  const isKnown = groups.some(({ prefix, kinds }) => prefix === kind || kinds.some(({ type }) => type === kind));
  return (
    <div className="grid gap-3 min-[26rem]:grid-cols-2 sm:max-w-xl">
      <SelectField name="kind" label="Kind" value={kind} onChange={(event) => onChange({ kind: event.target.value })}>
        <option value="">All kinds</option>
        {groups.map(({ noun, prefix, kinds }) => (
          <optgroup key={noun} label={noun}>
            <option value={prefix}>All of {noun}</option>
            {kinds.map(({ type }) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </optgroup>
        ))}
        {kind && !isKnown && <option value={kind}>{kind}</option>}
      </SelectField>
      <SelectField
        name="project"
        label="Project"
        value={project}
        onChange={(event) => onChange({ project: event.target.value })}
      >
        <option value="">All projects</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
