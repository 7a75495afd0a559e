import type { Outputs } from "../../../trpc/client";

export type Secret = Outputs["getSecret"];
export type ListedSecret = Outputs["listSecrets"]["data"][number];
