import type { Outputs } from "../../../trpc/client";

export type Account = Outputs["getAccount"];
