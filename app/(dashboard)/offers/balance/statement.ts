import type { Outputs } from "../../../trpc/client";

/** A month with earnings, spend or credits, in micros. */
export type StatementMonth = Outputs["listStatements"]["data"][number];
export type EarningsStatement = Outputs["getEarningsStatement"];
export type SpendStatement = Outputs["getSpendStatement"];
export type Kind = "earnings" | "spend";

const MICROS_PER_UNIT = 1_000_000;

/** An exact decimal amount as a statement has it, in micros, for plots. */
export const microsOf = (amount: string): number => Math.round(Number(amount) * MICROS_PER_UNIT);
