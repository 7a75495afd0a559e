import type { Mode } from "../../../operation/actor";
import type { Blocker } from "../../core/kinds/kind";
import type { GpusOfPod } from "../pod-requests/pod-request";
import { usedGpus } from "../reserved-gpus/reservation-room";
import type { InstanceParts } from "./instance-ctx";
import type { InstanceSpec } from "./instance-spec";

const YEAR_DAYS = 365;

interface Asked {
  tenantId: string;
  mode: Mode;
  gpus: GpusOfPod;
}

/**
 * The reservation of a year that pays for the GPUs of an instance: the one of its model and region that has room and ends
 * last. undefined: there is none, or it is not needed.
 */
export async function reservationFor(
  { db, clock }: Pick<InstanceParts, "db" | "clock">,
  { tenantId, mode, gpus }: Asked,
): Promise<string | undefined> {
  if (gpus.gpu === null) return undefined;
  const found = await db.reservation.findMany({
    where: {
      tenantId,
      mode,
      gpu: gpus.gpu,
      region: gpus.region,
      status: "active",
      durationDays: YEAR_DAYS,
      endsAt: { gt: clock.now() },
      count: { gte: gpus.gpuCount },
    },
    orderBy: [{ endsAt: "desc" }, { id: "asc" }],
    select: { id: true, count: true },
  });
  for (const { id, count } of found) {
    if (count - (await usedGpus(db, { id, tenantId })) >= gpus.gpuCount) return id;
  }
  return undefined;
}

/** Why an instance cannot be bought for a term of years; undefined: it can, or it is not wanted. */
export async function blockerOfTerm(
  parts: Pick<InstanceParts, "db" | "clock">,
  { purchase_option: option }: Pick<InstanceSpec, "purchase_option">,
  asked: Asked,
): Promise<Blocker | undefined> {
  if (option === "reserved_3y") return NO_THREE_YEARS;
  if (option !== "reserved_1y") return undefined;
  if (asked.gpus.gpu === null) return NO_CPU_TERM;
  return (await reservationFor(parts, asked)) ? undefined : noReservation(asked.gpus);
}

const NO_THREE_YEARS: Blocker = {
  code: "needs_capability",
  message: "Reservations have a term of a month or a year: there is none of three years.",
  remedy: "Use reserved_1y with a reservation of a year, or on_demand.",
};

const NO_CPU_TERM: Blocker = {
  code: "needs_capability",
  message: "Only GPUs are reserved for a term; instances without GPUs are not.",
  remedy: "Use on_demand.",
};

const noReservation = ({ gpu, gpuCount: count, region }: GpusOfPod & { gpu: string }): Blocker => ({
  code: "target_missing",
  message: `No reservation of a year has ${count} ${gpu} free in ${region}.`,
  remedy: `Reserve them: POST /v1/reservations ${JSON.stringify({ gpu, count, region, duration: "365d" })}, or use on_demand.`,
});
