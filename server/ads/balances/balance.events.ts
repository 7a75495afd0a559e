import { z } from "zod";
import { eventKind } from "../../operation/event-kind";
import { exampleId } from "../../operation/example";
import { Balance } from "./balance";

export const balanceCredited = eventKind({
  type: "balance.credited",
  description: "The operator added to the prepaid balance of the tenant.",
  data: Balance.pick({ currency: true, available_micros: true }).extend({
    id: z.string().describe("The entry of the balance"),
    amount_micros: z.int(),
    note: z.string(),
  }),
  example: {
    id: exampleId("bal"),
    amount_micros: 100_000_000,
    currency: "USD",
    available_micros: 112_500_000,
    note: "Invoice 1042",
  },
});

export const balanceEventKinds = [balanceCredited];
