import { Package } from "lucide-react";
import { Thumbnail } from "../../../../components/thumbnail";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { formatPrice } from "../../../../format/money";
import { formatCount } from "../../../../format/numbers";
import type { Outputs } from "../../../../trpc/client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { Below, DataTable } from "../../../components/data-table";
import { PagedList } from "../../../components/paged-list";
import { PAGES } from "../../../components/pages";
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
  const { data: count } = useQueryOf("countProducts", { id: campaignId });
  return (
    <Section
      id="products"
      title="Product feed"
      description="Every product becomes an offer of its own. Send NDJSON, CSV, TSV or RSS with Google Merchant names."
    >
      <div className="space-y-6">
        <PagedList
          noun="product"
          icon={Package}
          emptyTitle="No products yet"
          about="A feed is optional: creatives alone are enough to serve."
          scopes="ads"
          pages={({ trpc: api }) => api.listProducts.infiniteQueryOptions({ id: campaignId, limit: SHOWN_STEP }, PAGES)}
        >
          {(products) => (
            <>
              {count && <FeedSize {...count} />}
              <ProductTable products={products} advertiserName={advertiserName} />
            </>
          )}
        </PagedList>
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

const ProductTable = ({ products, advertiserName }: ProductTableProps) => (
  <DataTable
    caption="Products"
    rows={products}
    keyOf={({ id }) => id}
    columns={[
      {
        label: "Product",
        className: "max-w-80 sm:max-w-96",
        cell: (product) => <ProductName product={product} advertiserName={advertiserName} />,
      },
      { label: "Price", numeric: true, cell: ({ price }) => (price ? formatPrice(price.amount, price.currency) : "–") },
      {
        label: "Stock",
        className: "whitespace-nowrap text-muted-foreground",
        cell: ({ availability }) => availability.replaceAll("_", " "),
      },
    ]}
    menu={({ id, campaign_id, title, link }) => (
      <ProductMenu id={id} campaignId={campaign_id} title={title} link={link} />
    )}
  />
);

type ProductNameProps = Pick<ProductsProps, "advertiserName"> & { product: ProductTableProps["products"][number] };

const ProductName = ({ product: { title, external_id, image_link, brand }, advertiserName }: ProductNameProps) => (
  <span className="flex items-center gap-3">
    <Thumbnail src={image_link} name={brand ?? advertiserName} className="size-10" />
    <span className="min-w-0">
      <span className="block truncate" title={title}>
        {title}
      </span>
      <Below className="truncate font-mono">{external_id}</Below>
    </span>
  </span>
);

const feedCall = (campaignId: string, publicUrl: string) =>
  `curl ${publicUrl}/v1/ads/campaigns/${campaignId}/products \\
  -H "Authorization: Bearer $SVC_KEY" \\
  -H "Content-Type: text/csv" \\
  --data-binary @products.csv`;
