"use client";

import type { ChangeEvent, ReactNode } from "react";
import { SelectField } from "../../components/form/fields";
import { textIn } from "../../components/form/read-fields";
import { useProjects } from "../account/api-keys/use-projects";

interface ProjectFieldProps {
  /** What the choice means. */
  hint?: ReactNode;
  /** The project that is chosen at first. */
  initial?: string | undefined;
  /** The chosen project, if the rest of the form depends on it. */
  value?: string | undefined;
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void;
  className?: string;
}

/** The project of what a form creates, only where there is a choice; `projectIn` reads it. */
export function ProjectField({ initial, ...props }: ProjectFieldProps) {
  const { projects } = useProjects();
  if (projects.length < 2) return null;
  return (
    <SelectField name="project" label="Project" {...props} {...(initial ? { defaultValue: initial } : {})}>
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** The chosen project as a field of an input; empty where there was no choice. */
export function projectIn(fields: FormData): { project?: string } {
  const project = textIn(fields, "project");
  return project === "" ? {} : { project };
}
