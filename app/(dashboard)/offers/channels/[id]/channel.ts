import type { Outputs } from "../../../../trpc/client";

export type Channel = Outputs["getChannel"];
