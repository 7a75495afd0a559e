import type { Outputs } from "../../../trpc/client";

export type Campaign = Outputs["campaigns"]["list"]["data"][number];
