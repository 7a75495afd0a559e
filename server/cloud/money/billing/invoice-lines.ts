import { type LineColumns, unitOf } from "./invoice";
import { SERVICES } from "./services";
import type { UsageRow } from "./usage";

/** The lines of the usage that has a price, by service and then the largest amount first. */
export const linesOf = (rows: readonly UsageRow[]): LineColumns[] =>
  rows
    .flatMap(({ service, sku, purchase, quantity, priceNanos, amountNanos }) =>
      priceNanos === null || amountNanos === null
        ? []
        : [{ service, sku, purchase, quantity, priceNanos, amountNanos, ...unitOf({ service, sku }) }],
    )
    .sort(
      (a, b) => SERVICES.indexOf(a.service) - SERVICES.indexOf(b.service) || descending(a.amountNanos, b.amountNanos),
    );

const descending = (a: bigint, b: bigint): number => (a === b ? 0 : a > b ? -1 : 1);
