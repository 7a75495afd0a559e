import { z } from "zod";
import type { Reservation as ReservationRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { notFound, type ServiceError } from "../../../kernel/errors";
import { decimalOf } from "../../../kernel/money";
import { toWire } from "../../../kernel/to-wire";
import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { REGIONS, type Region } from "../pools/regions";
import type { Duration } from "./reservation-fields";
import type { ReservationUse } from "./reservation-use.sql";

export const RESERVATION_ID_PREFIX = "rsv";
export const RESERVATION_STATUSES = ["scheduled", "active", "ended", "canceled"] as const;
const HOURS_PER_DAY = 24;

export const Reservation = z
  .object({
    id: z.string().meta({ examples: ["rsv_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    status: z.enum(RESERVATION_STATUSES),
    gpu: z.enum(GPU_MODELS),
    count: z.int().describe("Number of GPUs"),
    region: z.enum(REGIONS),
    duration: z.enum(["30d", "365d"]),
    starts_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
    assigned: z.int().describe("GPUs that are assigned to it now: from shortly before its start to its end"),
    lacking: z
      .object({ gpus: z.int(), message: z.string() })
      .nullable()
      .describe("What an active reservation misses, because nodes do not report or accept no pods; or null"),
    in_use: z.int().describe("GPUs of its pods that have not ended"),
    lent_to_spot: z.int().describe("GPUs that spot pods use while its pods do not need them"),
    price_per_hour: z.string().describe("Of all its GPUs, used or not; a decimal number in `currency`"),
    total_price: z.string().describe("Of the whole term, a decimal number in `currency`"),
    currency: z.string(),
    simulated: z.boolean().describe("true: the GPUs exist in records only"),
    created_at: z.iso.datetime(),
    canceled_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Reservation" });
export type Reservation = z.infer<typeof Reservation>;

export function toReservation(
  row: ReservationRow,
  { use, currency }: { use: ReservationUse; currency: string },
): Reservation {
  return toWire(Reservation, row, {
    gpu: row.gpu as GpuModel,
    region: row.region as Region,
    duration: `${row.durationDays}d` as Duration,
    lacking: lackingOf(row, use),
    assigned: use.assigned,
    in_use: use.inUse,
    lent_to_spot: use.lent,
    price_per_hour: decimalOf(row.priceNanosPerHour),
    total_price: decimalOf(row.priceNanosPerHour * BigInt(row.durationDays * HOURS_PER_DAY)),
    currency,
    simulated: row.mode === "test",
  });
}

function lackingOf(
  { status, count }: Pick<ReservationRow, "status" | "count">,
  { usable }: ReservationUse,
): Reservation["lacking"] {
  const gpus = status === "active" ? count - usable : 0;
  if (gpus <= 0) return null;
  const message = `${gpus} of its ${count} GPUs are missing: their nodes do not report or accept no pods at present, and no others are free. It gets GPUs as soon as there are some.`;
  return { gpus, message };
}

export const reservationTarget = targetOf("reservation");

/** Where the events of a reservation belong. */
export const originOf = ({ projectId, mode }: Pick<ReservationRow, "projectId" | "mode">) => ({ projectId, mode });

export const noSuchReservation = (id: string): ServiceError => notFound("reservation", id);
