import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { decimalOf } from "../../../kernel/money";
import { modeOf } from "../../../operation/actor";
import { EXAMPLE_TIME } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { GPU_MODELS, type GpuModel } from "../../core/prices/gpu-models";
import { GPU_ALIASES, poolOf } from "../pools/fleet";
import { REGIONS } from "../pools/regions";
import { poolCalendar } from "../reserved-gpus/pool-calendar";
import { AHEAD_MS, startText } from "./no-capacity";
import { poolSize } from "./pool-size";
import type { ReservationCtx } from "./reservation-ctx";
import { reservationFields, TERM_DAYS } from "./reservation-fields";
import { reservationNanosPerHour } from "./reservation-price";
import { termBlock } from "./term-block";

const SECOND_MS = 1000;
const DAY_MS = 24 * 3600 * 1000;
const HOURS_PER_DAY = 24;
const DAYS_MAX = 455;

const ReservationCalendar = z
  .object({
    gpu: z.enum(GPU_MODELS),
    region: z.enum(REGIONS),
    capacity: z.int().describe("All GPUs of the model in the region: simulated ones, in live mode real ones"),
    count_max: z.int().describe("The most GPUs that can be reserved for the term from now on"),
    earliest_start: z.iso
      .datetime()
      .nullable()
      .describe("When `count` GPUs are free for the term; null: not within 90 days"),
    price_per_hour: z.string().describe("Of `count` GPUs, a decimal number in `currency`"),
    total_price: z.string().describe("Of the whole term, a decimal number in `currency`"),
    currency: z.string(),
    free: z
      .array(z.object({ at: z.iso.datetime(), count: z.int() }))
      .describe("How many GPUs can be reserved from each time to the next one; the first is now"),
    simulated: z.boolean(),
  })
  .meta({ id: "ReservationCalendar" });

/** What can be reserved, when, and for what price. On-demand pods count until the end of their lifetime. */
export const getReservationCalendar = operation({
  id: "getReservationCalendar",
  summary: "Get the GPUs that can be reserved over time, and the price",
  access: "pods:read",
  input: z.strictObject({
    gpu: reservationFields.gpu,
    region: reservationFields.region.default("use"),
    days: z.coerce.number().int().min(1).max(DAYS_MAX).default(90).describe("How far the free GPUs are listed"),
    count: z.coerce.number().int().min(1).max(10_000).default(1).describe("The GPUs of a reservation that is planned"),
    duration: reservationFields.duration.default("30d").describe("Its term"),
    mode: ownerFields.mode,
  }),
  output: ReservationCalendar,
  example: {
    input: { gpu: "h100", region: "use" as const, count: 16, duration: "30d" as const },
    output: {
      gpu: "h100" as const,
      region: "use" as const,
      capacity: 64,
      count_max: 48,
      earliest_start: EXAMPLE_TIME,
      price_per_hour: "19.84",
      total_price: "14284.80",
      currency: "USD",
      simulated: true,
      free: [
        { at: EXAMPLE_TIME, count: 48 },
        { at: "2026-12-20T09:01:00.000Z", count: 64 },
      ],
    },
  },
  run: async ({ db, actor, clock, currency }: ReservationCtx, { region, days, count, duration, ...input }) => {
    const gpu = GPU_ALIASES[input.gpu] ?? (input.gpu as GpuModel);
    const mode = modeOf(actor, input.mode);
    const pool = poolOf(region, gpu, mode);
    const [now, capacity] = [clock.now(), await poolSize(db, pool)];
    const calendar = await poolCalendar(db, { pool, capacity }, now);
    const { from, to } = termBlock(now, TERM_DAYS[duration]);
    const search = { count, durationMs: to - from + SECOND_MS, notBefore: from, notAfter: from + AHEAD_MS };
    const earliest = calendar.earliestStart(search);
    const nanosPerHour = reservationNanosPerHour({ gpu, count, duration });
    return {
      gpu,
      region,
      capacity,
      count_max: Math.max(0, calendar.minFree(from, to)),
      earliest_start: earliest === undefined ? null : startText(earliest),
      price_per_hour: decimalOf(nanosPerHour),
      total_price: decimalOf(nanosPerHour * BigInt(TERM_DAYS[duration] * HOURS_PER_DAY)),
      currency,
      simulated: mode === "test",
      free: calendar
        .steps(from, from + days * DAY_MS)
        .map(({ at, free }) => ({ at: new Date(at).toISOString(), count: Math.max(0, free) })),
    };
  },
});
