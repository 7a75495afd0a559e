import { z } from "zod";
import { eventKind } from "../../operation/event-kind";
import { Project } from "./project";
import { projectExample } from "./project.example";

const ProjectFacts = Project.omit({ active_keys: true });
const { active_keys: _keys, ...example } = projectExample;

export const projectCreated = eventKind({
  type: "project.created",
  description: "A project was created.",
  data: ProjectFacts,
  example,
});

export const projectUpdated = eventKind({
  type: "project.updated",
  description: "A project was renamed.",
  data: ProjectFacts.extend({ previous_name: z.string() }),
  example: { ...example, previous_name: "Shop" },
});

export const projectArchived = eventKind({
  type: "project.archived",
  description: "A project was archived.",
  data: ProjectFacts,
  example,
});

export const projectRestored = eventKind({
  type: "project.restored",
  description: "An archived project was restored.",
  data: ProjectFacts,
  example,
});

export const projectEventKinds = [projectCreated, projectUpdated, projectArchived, projectRestored];
