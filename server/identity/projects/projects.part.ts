import type { QuietPart } from "../part";
import { projectEventKinds } from "./project.events";
import { PROJECTS_QUOTA } from "./projects.quotas";
import { projectRoutes } from "./projects.routes";

/** Groups of API keys. */
export const projectsPart: QuietPart<object, typeof projectRoutes> = {
  name: "projects",
  routes: [projectRoutes],
  eventKinds: projectEventKinds,
  quotas: [PROJECTS_QUOTA],
};
