import type { Outputs } from "../../../trpc/client";

/** A month with earnings, spend or credits, in micros. */
export type StatementMonth = Outputs["statements"]["list"]["data"][number];
export type EarningsStatement = Outputs["statements"]["earnings"];
export type SpendStatement = Outputs["statements"]["spend"];
export type Kind = "earnings" | "spend";

const MICROS_PER_UNIT = 1_000_000;

/** An exact decimal amount as a statement has it, in micros, for plots. */
export const microsOf = (amount: string): number => Math.round(Number(amount) * MICROS_PER_UNIT);
