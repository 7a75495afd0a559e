import type { Outputs } from "../../../trpc/client";

export type Project = Outputs["projects"]["list"]["data"][number];
