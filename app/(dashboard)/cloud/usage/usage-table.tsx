import { Badge } from "../../../components/ui/badge";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatMoney } from "../../../format/money";
import { humanize } from "../../account/audit-log/audit-text";
import { microsOf, perText, purchaseText, quantityText } from "./usage-view";
import type { InvoiceLine, UsageRow } from "./wire";

interface UsageTableProps {
  rows: readonly (UsageRow | InvoiceLine)[];
  currency: string;
}

/** Services whose runs are metered while they run. */
const RUNNING = new Set(["pods", "sandboxes", "workspaces"]);

const COLUMNS = [
  { label: "Service" },
  { label: "SKU" },
  { label: "Purchase" },
  { label: "Quantity", numeric: true },
  { label: "Price", numeric: true },
  { label: "Amount", numeric: true },
];

/** What was used by service, SKU, purchase mode and price. */
export const UsageTable = ({ rows, currency }: UsageTableProps) => (
  <Table caption="Usage by service and SKU" columns={COLUMNS}>
    {rows.map((row) => (
      <Row key={[row.service, row.sku, row.purchase, row.unit_price].join(" ")}>
        <RowHeading className="whitespace-nowrap">
          {humanize(row.service ?? "")}
          {"final" in row && !row.final && RUNNING.has(row.service ?? "") && (
            <Badge tone="accent" className="ml-2">
              running
            </Badge>
          )}
        </RowHeading>
        <Cell className="whitespace-nowrap">{row.sku}</Cell>
        <Cell className="whitespace-nowrap">{purchaseText(row.purchase)}</Cell>
        <Cell numeric className="whitespace-nowrap">
          {quantityText(row.quantity, row.unit)}
        </Cell>
        <Cell numeric className="whitespace-nowrap">
          <Price row={row} currency={currency} />
        </Cell>
        <Cell numeric>{row.amount === null ? "not charged" : formatMoney(microsOf(row.amount), currency)}</Cell>
      </Row>
    ))}
  </Table>
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
