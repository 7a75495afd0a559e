import type { Pool } from "pg";
import type { Prisma, PrismaClient } from "../../../engines/postgres/generated/client";
import { pause } from "../../../kernel/pause";
import type { Observation, Observed } from "../kinds/kind";
import { recordChange, type ServedBy, type ServedKey, servedBy } from "./served-changes.sql";

/** How long a step waits for the processes; what takes longer is looked at again later. */
const WAIT_MS = 1000;
const FIRST_PAUSE_MS = 5;
const PAUSE_MS_MAX = 100;

interface ServedChange extends ServedKey {
  /** Returns whether anything was changed. */
  write: (tx: Prisma.TransactionClient) => Promise<boolean>;
}

/**
 * Changes what processes serve under a key, and waits up to a second until each living one serves the change. Returns who
 * does: `all` also where an earlier call has made the change, and `none` where no process serves the topic at present.
 */
export async function changeServed(
  { db, sql }: { db: PrismaClient; sql: Pool },
  { topic, key, write }: ServedChange,
  signal: AbortSignal,
): Promise<ServedBy> {
  await db.$transaction(async (tx) => {
    if (await write(tx)) await recordChange(tx, { topic, key });
  });
  const look = async () => (await servedBy(sql, { topic, keys: [key] })).get(key) ?? "none";
  let by = await look();
  for (let waitedMs = 0, ms = FIRST_PAUSE_MS; by === "some" && waitedMs < WAIT_MS && !signal.aborted; ) {
    await pause(ms, signal);
    waitedMs += ms;
    ms = Math.min(PAUSE_MS_MAX, 2 * ms);
    by = await look();
  }
  return by;
}

/** How an effect looks that processes serve: it is present when each living one serves its last change. */
export function observationWhenServed(by: ServedBy, observed: Observed): Observation {
  if (by === "none") return { is: "faulty", observed, message: "No process that serves it runs at present." };
  return { is: by === "all" ? "present" : "changing", observed };
}
