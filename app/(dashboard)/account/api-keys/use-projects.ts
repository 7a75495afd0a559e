import { useQueryOf } from "../../../trpc/use-operation";
import type { Project } from "../projects/project";

const PROJECTS_MAX = 1000;

/** The tenant's projects, and a lookup of their names; an archived project is shown by its ID. */
export function useProjects(): { projects: Project[]; nameOf: (id: string) => string } {
  const projects = useQueryOf("listProjects", { limit: PROJECTS_MAX }).data?.data ?? [];
  return { projects, nameOf: (id) => projects.find((project) => project.id === id)?.name ?? id };
}
