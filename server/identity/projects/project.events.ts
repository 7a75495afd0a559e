import { z } from "zod";
import { eventKind, eventsOf } from "../../operation/event-kind";
import { Project } from "./project";
import { projectExample } from "./project.example";

const ProjectFacts = Project.omit({ active_keys: true });
const { active_keys: _keys, ...example } = projectExample;

const eventOf = eventsOf(ProjectFacts, example);

export const projectCreated = eventOf("project.created", "A project was created.");

export const projectUpdated = eventKind({
  type: "project.updated",
  description: "A project was renamed.",
  data: ProjectFacts.extend({ previous_name: z.string() }),
  example: { ...example, previous_name: "Shop" },
});

export const projectArchived = eventOf("project.archived", "A project was archived.");

export const projectRestored = eventOf("project.restored", "An archived project was restored.");

export const projectEventKinds = [projectCreated, projectUpdated, projectArchived, projectRestored];
