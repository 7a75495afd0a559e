import { z } from "zod";
import { operation } from "../ads-operation";
import { Balance, balanceOf } from "./balance";
import type { BalanceCtx } from "./balance-ctx";

/** Returns the tenant's prepaid balance, which is the same for test and live keys. */
export const getBalance = operation({
  id: "getBalance",
  summary: "Get the prepaid balance",
  access: "ads:read",
  input: z.strictObject({}),
  output: Balance,
  example: {
    input: {},
    output: {
      currency: "USD",
      credited_micros: 250_000_000,
      spent_micros: 31_400_000,
      available_micros: 218_600_000,
    },
  },
  run: async ({ db, actor, currency }: BalanceCtx) => {
    return balanceOf(await db.tenantBalance.findUnique({ where: { tenantId: actor.tenantId } }), currency);
  },
});
