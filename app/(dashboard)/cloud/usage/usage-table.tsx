import { Badge } from "../../../components/ui/badge";
import { formatMoney } from "../../../format/money";
import { humanize } from "../../account/audit-log/audit-text";
import { type Columns, DataTable } from "../../components/data-table";
import { microsOf, perText, purchaseText, quantityText } from "./usage-view";
import type { InvoiceLine, UsageRow } from "./wire";

interface UsageTableProps {
  rows: readonly (UsageRow | InvoiceLine)[];
  currency: string;
}

/** Services whose runs are metered while they run. */
const RUNNING = new Set(["pods", "sandboxes", "workspaces"]);

type BilledRow = UsageRow | InvoiceLine;

const columnsOf = (currency: string): Columns<BilledRow> => [
  {
    label: "Service",
    className: "whitespace-nowrap",
    cell: (row) => (
      <>
        {humanize(row.service ?? "")}
        {"final" in row && !row.final && RUNNING.has(row.service ?? "") && (
          <Badge tone="accent" className="ml-2">
            running
          </Badge>
        )}
      </>
    ),
  },
  { label: "SKU", className: "whitespace-nowrap", cell: ({ sku }) => sku },
  { label: "Purchase", className: "whitespace-nowrap", cell: ({ purchase }) => purchaseText(purchase) },
  { label: "Quantity", numeric: true, cell: ({ quantity, unit }) => quantityText(quantity, unit) },
  { label: "Price", numeric: true, cell: (row) => <Price row={row} currency={currency} /> },
  {
    label: "Amount",
    numeric: true,
    cell: ({ amount }) => (amount === null ? "not charged" : formatMoney(microsOf(amount), currency)),
  },
];

/** What was used by service, SKU, purchase mode and price. */
export const UsageTable = ({ rows, currency }: UsageTableProps) => (
  <DataTable
    caption="Usage by service and SKU"
    rows={rows}
    keyOf={({ service, sku, purchase, unit_price }) => [service, sku, purchase, unit_price].join(" ")}
    columns={columnsOf(currency)}
  />
);

const Price = ({ row, currency }: { row: UsageRow | InvoiceLine; currency: string }) =>
  row.unit_price === null || row.unit === null || row.price_quantity === null ? (
    "–"
  ) : (
    <>
      {formatMoney(microsOf(row.unit_price), currency)}{" "}
      <span className="text-muted-foreground text-xs">{perText(row.unit, row.price_quantity)}</span>
    </>
  );
