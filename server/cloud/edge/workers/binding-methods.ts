import type { Pool } from "pg";
import type { Logger } from "pino";
import { z } from "zod";
import type { Room } from "../../../engines/disk-space/disk-space";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import type { CursorScope } from "../../../kernel/cursor";
import type { Actor, Owner } from "../../../operation/actor";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { Objects } from "../../data/objects/objects";
import type { QueueEngine } from "../../data/queue-log/queue-engine";
import type { EdgeDatabases } from "./edge-databases";

export interface EdgeBindingsParts {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  objects: Objects;
  queues: Pick<QueueEngine, "send">;
  databases: Pick<EdgeDatabases, "ensure" | "run">;
  log: Pick<Logger, "warn">;
  /** Seals the cursors of lists. */
  cursorKey: Buffer;
  storedBytes: TenantRoom;
  /** Of the disk of the database; absent: it is not watched. */
  space?: Room | undefined;
}

/** What the methods of a binding may use: the function acts as a key of its own project and mode. */
export interface BindingCtx extends EdgeBindingsParts {
  owner: Owner;
  actor: Actor;
}

/** A call of a method, as the code of the tenant made it. */
export interface BindingCall {
  args: unknown;
  body: Buffer;
}

export interface BindingReply {
  /** A JSON value. */
  result?: unknown;
  body?: Buffer;
}

/** In a smoke run it checks its arguments and has no effect. */
type BindingMethod = (call: BindingCall, options: { isSmokeRun: boolean }) => Promise<BindingReply>;

export type BindingMethods = Readonly<Record<string, BindingMethod>>;

/** Of an earlier page; sealed, so that it may be longer than the position in it. */
export const CursorText = z
  .string()
  .max(4096)
  .nullish()
  .transform((cursor) => cursor ?? undefined);

/** The scope of a cursor that a binding returns: it continues only the list that it belongs to. */
export const cursorScope = (
  { cursorKey: key, clock, owner }: Pick<BindingCtx, "cursorKey" | "clock" | "owner">,
  list: readonly (string | undefined)[],
): CursorScope => ({
  key,
  clock,
  tenantId: owner.tenantId,
  filter: JSON.stringify(["edge binding", owner.projectId, owner.mode, ...list]),
});
