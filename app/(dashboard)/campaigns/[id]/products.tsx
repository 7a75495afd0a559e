"use client";

import { useQuery } from "@tanstack/react-query";
import { Package } from "lucide-react";
import { Loaded } from "../../../components/loaded";
import { Section } from "../../../components/ui/card";
import { CodeBlock } from "../../../components/ui/code-block";
import { Empty } from "../../../components/ui/empty";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatCount } from "../../../format/numbers";
import { type Outputs, useTRPC } from "../../../trpc/client";

const COUNTED_MAX = 1000;
const SHOWN_MAX = 5;

/** How large the product feed is, its newest items, and how to send it. */
export function Products({ campaignId, publicUrl }: { campaignId: string; publicUrl: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.campaigns.listProducts.queryOptions({ id: campaignId, limit: COUNTED_MAX }));
  return (
    <Section
      title="Product feed"
      description="Every product becomes an offer of its own. Send NDJSON, CSV, TSV or RSS with Google Merchant names."
    >
      <div className="space-y-4">
        <Loaded query={query}>
          {({ data, next_cursor }) =>
            data.length === 0 ? (
              <Empty icon={Package} title="No products yet">
                A feed is optional: creatives alone are enough to serve.
              </Empty>
            ) : (
              <>
                <p className="text-sm">
                  <strong>
                    {formatCount(data.length)}
                    {next_cursor && "+"}
                  </strong>{" "}
                  {data.length === 1 ? "product" : "products"} in the feed; the newest:
                </p>
                <ProductTable products={data.slice(0, SHOWN_MAX)} />
              </>
            )
          }
        </Loaded>
        <CodeBlock label="Send a feed, with a platform key that has ads:write" code={feedCall(campaignId, publicUrl)} />
      </div>
    </Section>
  );
}

const ProductTable = ({ products }: { products: Outputs["campaigns"]["listProducts"]["data"] }) => (
  <Table
    caption="Newest products"
    columns={[{ label: "Product" }, { label: "Price", numeric: true }, { label: "Stock" }]}
  >
    {products.map(({ id, title, external_id, price, availability }) => (
      <Row key={id}>
        <RowHeading className="max-w-80">
          <span className="block truncate">{title}</span>
          <span className="block truncate font-mono font-normal text-muted-foreground text-xs">{external_id}</span>
        </RowHeading>
        <Cell numeric>{price ? `${price.amount} ${price.currency}` : "–"}</Cell>
        <Cell className="text-muted-foreground">{availability.replaceAll("_", " ")}</Cell>
      </Row>
    ))}
  </Table>
);

const feedCall = (campaignId: string, publicUrl: string) =>
  `curl ${publicUrl}/v1/ads/campaigns/${campaignId}/products \\
  -H "Authorization: Bearer $SVC_KEY" \\
  -H "Content-Type: text/csv" \\
  --data-binary @products.csv`;
