import type { Outputs } from "../../../../trpc/client";

export type Creative = Outputs["campaigns"]["listCreatives"]["data"][number];
