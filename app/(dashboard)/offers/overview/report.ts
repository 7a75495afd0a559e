import type { Outputs } from "../../../trpc/client";

export type Report = Outputs["getReport"];
