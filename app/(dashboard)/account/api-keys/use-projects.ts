"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import type { Project } from "../projects/project";

const PROJECTS_MAX = 1000;

/** The tenant's projects, and a lookup of their names; an archived project is shown by its ID. */
export function useProjects(): { projects: Project[]; nameOf: (id: string) => string } {
  const trpc = useTRPC();
  const projects = useQuery(trpc.listProjects.queryOptions({ limit: PROJECTS_MAX })).data?.data ?? [];
  return { projects, nameOf: (id) => projects.find((project) => project.id === id)?.name ?? id };
}
