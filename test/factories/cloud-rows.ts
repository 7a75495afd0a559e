import { newId } from "../../server/kernel/ids";
import type { TestApp } from "./app";

type Ctx = Pick<TestApp["app"]["cloud"], "db" | "clock">;

/** Writes a saved checkpoint without files; returns its id. */
export async function makeCheckpoint({ db, clock }: Ctx, podId: string): Promise<string> {
  const now = clock.now();
  const { id } = await db.podCheckpoint.create({
    data: {
      ...{ id: newId("ckp", now.getTime()), podId, run: 1, cause: "request", state: "saved" },
      ...{ sizeBytes: 0n, chunks: [], createdAt: now, savedAt: now },
    },
  });
  return id;
}

const DAY_MS = 24 * 3600 * 1000;

/** Writes a scheduled reservation in live mode, as an installation with GPUs has them; returns its id. */
export async function makeReservation(
  { db, clock }: Ctx,
  { tenantId, projectId }: { tenantId: string; projectId: string },
): Promise<string> {
  const now = clock.now();
  const [startsAt, endsAt] = [10, 40].map((days) => new Date(now.getTime() + days * DAY_MS));
  const { id } = await db.reservation.create({
    data: {
      ...{ id: newId("rsv", now.getTime()), tenantId, projectId, mode: "live", name: "theirs", status: "scheduled" },
      ...{ gpu: "l40s", count: 1, region: "use", pool: "use/l40s", durationDays: 30, priceNanosPerHour: 1n },
      ...{ createdAt: now, startsAt: startsAt ?? now, endsAt: endsAt ?? now },
    },
  });
  return id;
}
