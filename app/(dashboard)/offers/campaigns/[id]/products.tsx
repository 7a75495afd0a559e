"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Package } from "lucide-react";
import { Thumbnail } from "../../../../components/thumbnail";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { EmptyState } from "../../../../components/ui/empty-state";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatPrice } from "../../../../format/money";
import { formatCount } from "../../../../format/numbers";
import { type Outputs, useTRPC } from "../../../../trpc/client";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { FeedSchedule } from "./feed-schedule";
import { FeedUpload } from "./feed-upload";
import { ProductMenu } from "./product-menu";

const SHOWN_STEP = 10;

interface ProductsProps {
  campaignId: string;
  /** The brand of products without one; empty while it is not known. */
  advertiserName: string;
  publicUrl: string;
}

/** How large the product feed is, its newest items, and how to send it. */
export function Products({ campaignId, advertiserName, publicUrl }: ProductsProps) {
  const trpc = useTRPC();
  const { data: count } = useQuery(trpc.countProducts.queryOptions({ id: campaignId }));
  const query = useInfiniteQuery(
    trpc.listProducts.infiniteQueryOptions({ id: campaignId, limit: SHOWN_STEP }, { getNextPageParam: nextCursor }),
  );
  return (
    <Section
      id="products"
      title="Product feed"
      description="Every product becomes an offer of its own. Send NDJSON, CSV, TSV or RSS with Google Merchant names."
    >
      <div className="space-y-6">
        <PagedContent
          query={query}
          empty={
            <EmptyState icon={Package} title="No products yet">
              A feed is optional: creatives alone are enough to serve.
            </EmptyState>
          }
        >
          {(products) => (
            <>
              {count && <FeedSize {...count} />}
              <ProductTable products={products} advertiserName={advertiserName} />
            </>
          )}
        </PagedContent>
        <FeedUpload campaignId={campaignId} />
        <FeedSchedule campaignId={campaignId} />
        <CodeBlock
          label="Or send it from a script, with a platform key that has ads:write"
          code={feedCall(campaignId, publicUrl)}
        />
      </div>
    </Section>
  );
}

const FeedSize = ({ products, out_of_stock }: Outputs["countProducts"]) => (
  <p className="text-sm">
    <strong className="tabular-nums">{formatCount(products)}</strong> {products === 1 ? "product" : "products"} in the
    feed
    {out_of_stock > 0 && `, ${formatCount(out_of_stock)} of them out of stock and not served`}. The newest come first.
  </p>
);

interface ProductTableProps extends Pick<ProductsProps, "advertiserName"> {
  products: Outputs["listProducts"]["data"];
}

const COLUMNS = [{ label: "Product" }, { label: "Price", numeric: true }, { label: "Stock" }, { label: "" }];

const ProductTable = ({ products, advertiserName }: ProductTableProps) => (
  <Table caption="Products" columns={COLUMNS}>
    {products.map(({ id, campaign_id, title, link, external_id, image_link, brand, price, availability }) => (
      <Row key={id}>
        <RowHeading className="max-w-80 sm:max-w-96">
          <span className="flex items-center gap-3">
            <Thumbnail src={image_link} name={brand ?? advertiserName} className="size-10" />
            <span className="min-w-0">
              <span className="block truncate" title={title}>
                {title}
              </span>
              <span className="block truncate font-mono font-normal text-muted-foreground text-xs">{external_id}</span>
            </span>
          </span>
        </RowHeading>
        <Cell numeric className="whitespace-nowrap">
          {price ? formatPrice(price.amount, price.currency) : "–"}
        </Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">{availability.replaceAll("_", " ")}</Cell>
        <ActionsCell>
          <ProductMenu id={id} campaignId={campaign_id} title={title} link={link} />
        </ActionsCell>
      </Row>
    ))}
  </Table>
);

const feedCall = (campaignId: string, publicUrl: string) =>
  `curl ${publicUrl}/v1/ads/campaigns/${campaignId}/products \\
  -H "Authorization: Bearer $SVC_KEY" \\
  -H "Content-Type: text/csv" \\
  --data-binary @products.csv`;
