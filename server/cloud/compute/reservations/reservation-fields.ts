import { z } from "zod";
import { IdText, Moment, NameText } from "../../../identity/wire-text";
import { GPU_MODELS } from "../../core/prices/gpu-models";
import { GPU_ALIASES } from "../pools/fleet";
import { REGIONS } from "../pools/regions";

/** The terms of the specification ("Reservation"), a month and a year, by their duration. */
export const TERM_DAYS = { "30d": 30, "365d": 365 } as const;
export type Duration = keyof typeof TERM_DAYS;
const DURATIONS = Object.keys(TERM_DAYS) as [Duration, ...Duration[]];

/** More than any pool has. */
const COUNT_MAX = 10_000;
const GPU_NAMES = [...GPU_MODELS, ...Object.keys(GPU_ALIASES)] as [string, ...string[]];

/** The fields of a reservation that a client sends, without defaults. */
export const reservationFields = {
  gpu: z
    .enum(GPU_NAMES)
    .describe(`GPU model; \`${Object.keys(GPU_ALIASES).join("`, `")}\` are spellings of gb200 and gb300`),
  count: z.int().min(1).max(COUNT_MAX).describe("Number of GPUs, at most those of the region"),
  duration: z
    .enum(DURATIONS, { error: "expected 30d or 365d" })
    .describe("The term: `30d` (1 month) or `365d` (1 year)"),
  region: z.enum(REGIONS).describe("Region of the GPUs"),
  name: NameText.describe("For people; default: made from the id"),
  starts_at: Moment.describe("When the term begins, at most 90 days ahead; default: now"),
};

export const reservationChoice = { id: IdText.min(1).describe("The id of the reservation") };
