import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { ref } from "../../core/references/reference-fields";

const CAPACITY_GB_MAX = 4096;
const THROUGHPUT_MBPS_MAX = 100_000;

export const VolumeSpec = z.strictObject({
  capacity_gb: z
    .int()
    .min(1)
    .max(CAPACITY_GB_MAX)
    .describe(
      `What it can hold, 1 to ${CAPACITY_GB_MAX} GiB; it can grow later, on some kernels only while no pod mounts it`,
    ),
  throughput_mbps: z
    .int()
    .min(1)
    .max(THROUGHPUT_MBPS_MAX)
    .optional()
    .describe("MB/s that are wanted; `observed.throughput_enforced` says whether they are a limit"),
  subnet_id: ref({ service: "net", kind: "vpc" }, { hasParts: true })
    .optional()
    .describe("A network (service net), or a subnet of one: only its pods can mount the volume"),
  snapshot_id: IdText.min(1)
    .optional()
    .describe(
      "A saved snapshot of the same project and mode, with whose files the volume begins; default: it is empty",
    ),
});
export type VolumeSpec = z.output<typeof VolumeSpec>;

/** A price of a GiB of capacity, as decimal strings: of a month of 730 hours, and exactly of an hour. It is ours. */
export const VOLUME_PRICE = { gbMonth: "0.073", nanosPerGbHour: 100_000 } as const;
