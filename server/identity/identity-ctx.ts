import type { PrismaClient } from "../engines/postgres/generated/client";
import type { Clock } from "../kernel/clock";
import type { Actor } from "./actors/actor";

/** What every verb that acts for somebody gets. */
export interface ActorCtx {
  db: PrismaClient;
  clock: Clock;
  actor: Actor;
  /** Seals list cursors. */
  cursorKey: Buffer;
}
