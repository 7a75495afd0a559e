import { nanosOf } from "../../../kernel/money";
import type { GpuModel } from "../../core/prices/gpu-models";
import { POD_PRICES } from "../../core/prices/pod-prices";
import type { Duration } from "./reservation-fields";

/** What all GPUs of a reservation cost in an hour, in nanos. */
export const reservationNanosPerHour = ({
  gpu,
  count,
  duration,
}: {
  gpu: GpuModel;
  count: number;
  duration: Duration;
}): bigint => nanosOf(POD_PRICES.gpu[gpu][`reserved_${duration}`]) * BigInt(count);
