import { z } from "zod";
import type { TenantBalance } from "../../engines/postgres/generated/client";
import { NANOS_PER_MICRO } from "../../kernel/money";

/** A tenant's prepaid balance, which its live network campaigns spend on other tenants' channels. */
export const Balance = z
  .object({
    currency: z.string().describe("The installation's billing currency (ISO 4217)"),
    credited_micros: z.int().describe("What the operator credited, minus corrections"),
    spent_micros: z.int().describe("What live network campaigns spent on channels of other tenants, rounded up"),
    available_micros: z.int(),
  })
  .meta({ id: "Balance" });
export type Balance = z.infer<typeof Balance>;

type Amounts = Pick<TenantBalance, "creditedNanos" | "spentNanos">;

/**
 * Converts a balance to its API form; a tenant without a row has a zero balance. Spend is rounded up so that the three
 * amounts add up.
 */
export function balanceOf(row: Amounts | null, currency: string): Balance {
  const { creditedNanos, spentNanos } = row ?? { creditedNanos: 0n, spentNanos: 0n };
  const credited_micros = Number(creditedNanos / NANOS_PER_MICRO);
  const spent_micros = Number((spentNanos + NANOS_PER_MICRO - 1n) / NANOS_PER_MICRO);
  return { currency, credited_micros, spent_micros, available_micros: credited_micros - spent_micros };
}
