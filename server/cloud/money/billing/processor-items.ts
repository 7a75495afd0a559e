import { decimalOf } from "../../../kernel/money";
import type { LineColumns } from "./invoice";
import { divideMinor } from "./money";
import type { BilledInvoice } from "./payment-processor";
import { quantityText, type Service } from "./services";

/** Stripe accepts 250 items on an invoice. */
const ITEMS_MAX = 200;

/**
 * The items of an invoice for a payment processor, which counts in the smallest unit of the currency: they add up to the
 * total. What exceeds 200 lines is one item.
 */
export function itemsOf(
  lines: readonly LineColumns[],
  { total, currency }: { total: bigint; currency: string },
): BilledInvoice["items"] {
  const parts = divideMinor(
    lines.map(({ amountNanos }) => amountNanos),
    { total, currency },
  );
  const items = lines.map((line, index) => ({ text: textOf(line, currency), amountMinor: parts[index] ?? 0n }));
  if (items.length <= ITEMS_MAX) return items;
  const rest = items.slice(ITEMS_MAX - 1);
  const amountMinor = rest.reduce((sum, item) => sum + item.amountMinor, 0n);
  return [...items.slice(0, ITEMS_MAX - 1), { text: `${rest.length} further lines`, amountMinor }];
}

const textOf = (
  { service, sku, purchase, quantity, unit, priceNanos, priceQuantity }: LineColumns,
  currency: string,
) => {
  const mode = purchase === null ? "" : `, ${purchase.replace("_", " ")}`;
  const price = `${decimalOf(priceNanos)} ${currency} for ${priceQuantity}`;
  return `${service}: ${sku}${mode}: ${quantityText({ service: service as Service, sku }, quantity)} ${unit}s at ${price}`;
};
