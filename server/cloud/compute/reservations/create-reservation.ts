import { z } from "zod";
import type { Prisma, Reservation as ReservationRow } from "../../../engines/postgres/generated/client";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { ownerFields } from "../../../identity/owner-fields";
import { findProject } from "../../../identity/projects/find-project";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { type Mode, modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import type { GpuModel } from "../../core/prices/gpu-models";
import { requireRealGpus } from "../placement/require-real-gpus";
import { GPU_ALIASES, poolOf } from "../pools/fleet";
import { lockPool } from "../pools/pools.sql";
import { poolCalendar } from "../reserved-gpus/pool-calendar";
import { assignDevices } from "./assign-devices";
import { withItsUse } from "./find-reservation";
import { AHEAD_MS, noCapacity } from "./no-capacity";
import { poolSize } from "./pool-size";
import { originOf, RESERVATION_ID_PREFIX, Reservation, reservationTarget } from "./reservation";
import { reservationCreated, reservationStarted } from "./reservation.events";
import { reservationExample } from "./reservation.example";
import type { ReservationCtx } from "./reservation-ctx";
import { reservationFields, TERM_DAYS } from "./reservation-fields";
import { reservationNanosPerHour } from "./reservation-price";
import { reservedGpuQuota } from "./reserved-quotas";
import { termBlock } from "./term-block";

/** The clock of a client may be behind. */
const PAST_MS = 60_000;
const SECOND_MS = 1000;
const DAY_MS = 24 * 3600 * SECOND_MS;
const NAME_DIGITS = 6;

export const CreateReservation = z.strictObject({
  gpu: reservationFields.gpu,
  count: reservationFields.count,
  duration: reservationFields.duration,
  region: reservationFields.region.default("use"),
  name: reservationFields.name.optional(),
  starts_at: reservationFields.starts_at.optional(),
  ...ownerFields,
});
type CreateReservation = z.output<typeof CreateReservation>;

/**
 * Reserves GPUs for a term. Throws `invalid_request` for a start in the past or more than 90 days ahead, `unprocessable`
 * for more GPUs than the region has, `unavailable` (reason `no_capacity`) in live mode without such GPUs, `conflict` (reason `no_capacity`,
 * with the earliest start that is possible), `not_found` for the project, and `quota_exceeded`.
 */
export const createReservation = operation({
  id: "createReservation",
  summary: "Reserve GPUs for a month or a year",
  description:
    "All GPUs of a reservation are paid for each second of its term, used or not, from its start; pods with its `reservation_id` then pay for CPU and memory only. A start is admitted only if the GPUs are free for the whole term; a 409 with the reason `no_capacity` has the earliest start that is possible. It can be canceled free of charge until its start, and within an hour of its creation if no pod has used it. With a test key GPUs and billing are simulated; with a live key the GPUs are real, and it is 503 with the reason `no_capacity` if no node of the installation has such GPUs in the region. While a node does not report, `lacking` says what the reservation misses.",
  access: "pods:write",
  idempotent: true,
  result: "created",
  input: CreateReservation,
  output: Reservation,
  example: {
    input: { gpu: "h100", count: 16, duration: "30d" as const, name: reservationExample.name },
    output: reservationExample,
  },
  run: async (ctx: ReservationCtx, input) => {
    const { db, clock, actor, currency } = ctx;
    const mode = modeOf(actor, input.mode);
    const gpu = GPU_ALIASES[input.gpu] ?? (input.gpu as GpuModel);
    await assertPossible(db, input, { gpu, mode });
    return db.$transaction(async (tx) => {
      const { tenantId } = actor;
      await assertQuota(tx, { tenantId, adding: input.count }, reservedGpuQuota(gpu, input.region));
      const project = await findProject(tx, actor, input.project);
      const now = clock.now();
      const row = await insert(tx, { owner: { tenantId, projectId: project.id, mode }, input, gpu, now });
      const created = await withItsUse(tx, row, currency);
      const kinds = row.status === "active" ? [reservationCreated, reservationStarted] : [reservationCreated];
      await recordAudit(tx, ctx, {
        action: "reservation.created",
        targets: [reservationTarget(row)],
        details: created,
        events: kinds.map((kind) => newEvent(kind, created, originOf(row))),
      });
      return created;
    });
  },
});

async function assertPossible(
  db: ReservationCtx["db"],
  { count, region }: CreateReservation,
  { gpu, mode }: { gpu: GpuModel; mode: Mode },
): Promise<void> {
  if (mode === "live") await requireRealGpus(db, { gpu, region });
  const countMax = await poolSize(db, poolOf(region, gpu, mode));
  if (count <= countMax) return;
  const what = `${countMax} ${gpu} GPU${countMax === 1 ? "" : "s"}`;
  const message =
    mode === "live" ? `the nodes of the region ${region} have ${what} in all` : `${region} has ${what} in all`;
  throw new ServiceError("unprocessable", `count: ${message}.`, {
    param: "count",
    details: { reason: "pool_too_small", count_max: countMax },
  });
}

interface NewReservation {
  owner: { tenantId: string; projectId: string; mode: Mode };
  input: CreateReservation;
  gpu: GpuModel;
  now: Date;
}

/** Admits and inserts a reservation, which is active at once if it starts now. */
async function insert(tx: Prisma.TransactionClient, of: NewReservation): Promise<ReservationRow> {
  const { owner, input, gpu, now } = of;
  const { count, duration, region } = input;
  const startsAt = startOf(input, now);
  const pool = poolOf(region, gpu, owner.mode);
  await lockPool(tx, pool);
  await assertFree(tx, { pool, count, days: TERM_DAYS[duration], startsAt, now });
  const id = newId(RESERVATION_ID_PREFIX, now.getTime());
  const row = await tx.reservation.create({
    data: {
      id,
      ...owner,
      name: input.name ?? `reservation-${id.slice(-NAME_DIGITS)}`,
      gpu,
      count,
      region,
      pool,
      durationDays: TERM_DAYS[duration],
      status: startsAt <= now ? "active" : "scheduled",
      priceNanosPerHour: reservationNanosPerHour({ gpu, count, duration }),
      createdAt: now,
      startsAt,
      endsAt: new Date(startsAt.getTime() + TERM_DAYS[duration] * DAY_MS),
    },
  });
  if (row.status === "active") await assignDevices(tx, row);
  return row;
}

/** A whole second; never after `now` for a start at once. */
function startOf({ starts_at: given }: CreateReservation, now: Date): Date {
  if (given && given.getTime() < now.getTime() - PAST_MS) throw invalidStart("expected a time in the future");
  if (given && given.getTime() > now.getTime() + AHEAD_MS) throw invalidStart("expected at most 90 days ahead");
  const ms = given && given > now ? given.getTime() : now.getTime();
  return new Date(Math.floor(ms / SECOND_MS) * SECOND_MS);
}

const invalidStart = (why: string): ServiceError =>
  new ServiceError("invalid_request", `starts_at: ${why}.`, { param: "starts_at" });

interface Term {
  pool: string;
  count: number;
  days: number;
  startsAt: Date;
  now: Date;
}

async function assertFree(tx: Prisma.TransactionClient, { pool, count, days, startsAt, now }: Term): Promise<void> {
  const calendar = await poolCalendar(tx, { pool, capacity: await poolSize(tx, pool) }, now);
  const { from, to } = termBlock(startsAt, days);
  const free = Math.max(0, calendar.minFree(Math.max(from, now.getTime()), to));
  if (free >= count) return;
  const search = {
    count,
    durationMs: to - from + SECOND_MS,
    notBefore: now.getTime(),
    notAfter: now.getTime() + AHEAD_MS,
  };
  throw noCapacity({ pool, count, free, earliest: calendar.earliestStart(search) });
}
