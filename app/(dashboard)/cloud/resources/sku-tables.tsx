import { QueryContent } from "../../../components/query-content";
import { Section } from "../../../components/ui/card";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatRatePrice } from "../../../format/money";
import type { Outputs } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { keyOf } from "./service";
import { useServices } from "./use-services";

type Sku = Outputs["listSkus"]["data"][number];

const PRICES = [
  { key: "on_demand", label: "On demand" },
  { key: "spot", label: "Spot" },
  { key: "reserved_30d", label: "Reserved 30 days" },
  { key: "reserved_365d", label: "Reserved 365 days" },
] as const;

/** What the SKUs of each service cost. */
export function SkuTables() {
  const services = useServices().data?.data ?? [];
  const query = useQueryOf("listSkus", {});
  return (
    <QueryContent query={query}>
      {({ data }) =>
        services.map((of) => {
          const own = data.filter(({ plane, category }) => plane === of.plane && category === of.service);
          return own.length > 0 && <SkuTable key={keyOf(of)} label={of.label} skus={own} isSold={of.provisionable} />;
        })
      }
    </QueryContent>
  );
}

function SkuTable({ label, skus, isSold }: { label: string; skus: Sku[]; isSold: boolean }) {
  const shown = PRICES.filter(({ key }) => skus.some((sku) => sku[key] !== null));
  const columns = [
    { label: "SKU" },
    { label: "What it is" },
    { label: "Unit" },
    ...shown.map((price) => ({ label: price.label, numeric: true })),
  ];
  return (
    <Section
      title={label}
      description={
        isSold
          ? "Prices of one unit; what runs is metered by the second."
          : "Only planned: nothing of it is charged as a resource."
      }
    >
      <Table caption={`SKUs of ${label}`} columns={columns}>
        {skus.map((sku) => (
          <Row key={sku.sku}>
            <RowHeading>{sku.sku}</RowHeading>
            <Cell className="min-w-56 text-muted-foreground">{sku.description}</Cell>
            <Cell>{sku.unit}</Cell>
            {shown.map(({ key }) => (
              <Cell key={key} numeric>
                {sku[key] === null ? "–" : formatRatePrice(Number(sku[key]), sku.currency)}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </Section>
  );
}
