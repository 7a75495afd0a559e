import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { PURCHASES } from "../../core/prices/pod-prices";
import { SERVICES } from "./services";

/** An exact amount of money. */
export const Amount = z
  .string()
  .regex(/^\d+\.\d{2,9}$/)
  .describe("Exact, in units of `currency`, with 2 to 9 decimals");

export const MonthText = z
  .string()
  .regex(/^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])$/, "expected a month such as 2026-11")
  .describe("A month in UTC, such as 2026-11");

export const modeChoice = ownerFields.mode;

/** What a row of usage and a line of an invoice have in common. */
export const meteredFields = {
  service: z.enum(SERVICES),
  sku: z
    .string()
    .describe(
      "The GPU model of a pod, or `cpu`; `invocations`, `duration` and `cpu` of functions; `operations` of queues",
    ),
  purchase: z.enum(PURCHASES).nullable().describe("How pods were bought; null for other meters"),
  quantity: z
    .string()
    .describe("In `unit`, as a decimal number")
    .meta({ examples: ["5400"] }),
  unit: z
    .string()
    .describe(
      "`second` of a pod, a sandbox, the pod of a function or a shared volume, `invocation` of a function, `gib_second` of its time (128 MiB of memory are 0.125 GiB), `operation` of a queue (a message that is sent, received or acknowledged), `gb_month` of storage (10⁹ bytes for 730 hours), `token` of chat",
    ),
  unit_price: Amount.nullable().describe(
    "The price of `price_quantity` units: for pods of one hour of the whole pod, for shared volumes of one hour of the capacity; null: nothing is charged",
  ),
  price_quantity: z.int().describe("To how many units `unit_price` applies"),
};

export const SIMULATED = "true in test mode, in which nothing is charged";
