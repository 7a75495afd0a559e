import type { AccountCtx, ActorCtx } from "../identity-ctx";

/** For operations that send email to people who are not members yet. */
export interface TeamCtx extends ActorCtx, Pick<AccountCtx, "counters" | "mail" | "publicUrl" | "addressKey"> {}
