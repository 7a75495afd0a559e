import { z } from "zod";
import type { Project as ProjectRow } from "../../engines/postgres/generated/client";

export const Project = z.object({ id: z.string(), name: z.string(), created_at: z.string() });
export type Project = z.output<typeof Project>;

export const toProject = (row: ProjectRow): Project => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
});
