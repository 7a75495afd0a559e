"use client";

import { SelectField } from "../../../components/form/fields";
import { useUrlParams } from "../../components/use-url-params";
import { STATES } from "./api-key";
import { useProjects } from "./use-projects";

/** The filters are in the URL, so that a filtered list can be shared. */
export function ApiKeyFilters() {
  const { params, change } = useUrlParams();
  const { projects } = useProjects();
  const choose = (name: string) => (event: { target: { value: string } }) => change({ [name]: event.target.value });
  return (
    <div className="mb-4 grid gap-3 min-[26rem]:grid-cols-2 sm:max-w-md">
      <SelectField name="project" label="Project" value={params.get("project") ?? ""} onChange={choose("project")}>
        <option value="">All projects</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField name="state" label="State" value={params.get("state") ?? ""} onChange={choose("state")}>
        <option value="">All states</option>
        {STATES.map((state) => (
          <option key={state}>{state}</option>
        ))}
      </SelectField>
    </div>
  );
}
