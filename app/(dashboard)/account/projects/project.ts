import type { Outputs } from "../../../trpc/client";

export type Project = Outputs["listProjects"]["data"][number];
