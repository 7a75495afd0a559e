import type { Outputs } from "../../../../trpc/client";

export type Creative = Outputs["listCreatives"]["data"][number];
