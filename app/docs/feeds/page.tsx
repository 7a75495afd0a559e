import type { Metadata } from "next";
import { surfaces } from "../../../server/surfaces";
import { CodeBlock } from "../../components/ui/code-block";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";

export const metadata: Metadata = { title: "Product feeds" };

const CSV = `id,title,link,price,sale_price,sale_price_effective_date,gtin,item_group_id,product_type
TR3-42,"Trail runner 3, size 42",https://fjell.example/tr3?size=42,109.00 EUR,89.00 EUR,2026-11-20T08:00+01:00/2026-11-27T23:59+01:00,4006381333931,TR3,Shoes > Running`;

const upload = (publicUrl: string) => `curl ${publicUrl}/v1/ads/campaigns/$CAMPAIGN/products \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: text/csv" --data-binary @products.csv`;

const schedule = (publicUrl: string) => `curl -X PUT ${publicUrl}/v1/ads/campaigns/$CAMPAIGN/feed-schedule \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -d '{"url":"https://shop.example/feeds/google.xml","interval":"24h"}'`;

export default function FeedsPage() {
  const { publicUrl } = surfaces();
  return (
    <DocsPage title="Product feeds" lead="Upload your Google Merchant Center feed; each product becomes an offer.">
      <FormatsSection publicUrl={publicUrl} />
      <ScheduleSection publicUrl={publicUrl} />
      <AttributesSection />
      <DocsSection id="result" title="The response">
        <p>
          While an import runs, offers are made from the products as they were before it. When it ends, all of its
          products are served at once, usually within a second of the response; those of an import that broke are served
          too.
        </p>
        <p>
          A line that cannot be used is rejected and listed in <Code>errors</Code> with its line number; its message
          begins with the name of the field. The product is not changed. A field that is ignored because it is invalid,
          such as a GTIN or the dates of a sale, is listed in <Code>warnings</Code>, and the rest of the line is stored.
          If several lines have one <Code>id</Code>, the last one is stored, the product counts once in{" "}
          <Code>accepted</Code>, and each repetition is a warning with the line before it. Both lists have the first
          1,000 entries; <Code>rejected</Code> and <Code>warned</Code> are the counts.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const FormatsSection = ({ publicUrl }: { publicUrl: string }) => (
  <DocsSection id="formats" title="Formats">
    <p>
      NDJSON with one product per line, CSV or TSV with a header, RSS or Atom with <Code>g:</Code> elements, plain or
      gzip. Column names may contain spaces, and lines that begin with <Code>#</Code> above the header are skipped. The
      values of CSV may be separated by commas, semicolons, tabs or bars. For the limits of a feed, see{" "}
      <DocsLink href="/docs/limits#inputs">Inputs and feeds</DocsLink>.
    </p>
    <p>
      The encoding is that of the byte order mark, else the <Code>charset</Code> of the Content-Type, else that of the
      XML declaration, else UTF-8; UTF-16 is recognized too. A line with bytes that its encoding does not have is
      rejected. Text that was escaped once too often, such as <Code>&amp;amp;amp;</Code>, <Code>&lt;![CDATA[</Code> or
      formatting tags of HTML, is stored as the plain text that it means. Numbers of NDJSON are kept with the digits
      that they have in the feed, so an <Code>id</Code> may be of any length.
    </p>
    <CodeBlock label="products.csv" code={CSV} />
    <DocsCode label="Upload" code={upload(publicUrl)} language="bash" />
  </DocsSection>
);

const ScheduleSection = ({ publicUrl }: { publicUrl: string }) => (
  <DocsSection id="schedule" title="Fetch from a URL">
    <p>
      Instead of uploading, give svc the feed’s https URL: it fetches the feed every 1, 6 or 24 hours and imports it
      like an upload, with the same formats and limits. The campaign’s page and <Code>GET …/feed-schedule</Code> show
      the last fetch, the rejected lines and the next fetch; <Code>POST …/feed-schedule/fetch</Code> fetches it now, at
      most once a minute.
    </p>
    <DocsCode label="Set a feed schedule" code={schedule(publicUrl)} language="bash" />
    <Definitions
      label="Feed schedules"
      rows={[
        [
          "url",
          "https only, on a host with public addresses only. Up to 5 redirects to https URLs are followed, each with the same check.",
        ],
        ["interval", "1h, 6h or 24h, the default."],
        [
          "remove_missing",
          "Archives products of the campaign that are no longer in the feed, also uploaded ones; on by default. Nothing is removed after a failed or incomplete feed, if the response has neither a Content-Length nor chunks, and if the feed has less than half as many lines as the campaign has products.",
        ],
        [
          "username, password",
          "HTTP basic authentication, sent only to the origin of the URL. The password is stored encrypted and never returned; it must be sent again when the origin or the user name changes.",
        ],
      ]}
    />
    <p>
      If the server sends an <Code>ETag</Code> or <Code>Last-Modified</Code>, an unchanged feed gets a 304 response and
      is not read again. A failed fetch is retried after 15 minutes, then at doubled intervals up to the schedule’s;
      after 10 consecutive failures the schedule pauses until you fetch now or save it. A server must send at least 64
      KiB per minute, and a fetch takes at most 30 minutes.
    </p>
  </DocsSection>
);

const AttributesSection = () => (
  <DocsSection id="attributes" title="Attributes">
    <p>
      svc reads these attributes and ignores all others. Only <Code>id</Code>, <Code>title</Code> and <Code>link</Code>{" "}
      are required.
    </p>
    <Definitions
      label="Attributes"
      rows={[
        ["id", "Your own ID, up to 200 characters. An import updates the product with the same ID."],
        ["title", "Up to 500 characters."],
        ["description", "Up to 20,000 characters. Offers show about 300 of them."],
        ["link, image_link", "http or https URLs of up to 2,000 characters. The dashboard shows https pictures only."],
        ["brand", "Up to 200 characters. Without it, offers show the advertiser’s name."],
        ["price", "An amount and a currency: 109.00 EUR, or { value, currency } in JSON."],
        ["sale_price", "Shown instead of the price, which becomes the original price, if it is lower."],
        [
          "sale_price_effective_date",
          "When the sale price applies: an ISO 8601 interval start/end, both included. A time without a zone is UTC, a date alone is the whole day, and either end may be missing. The price of an offer changes at these times without another import.",
        ],
        [
          "availability",
          "in_stock (the default), out_of_stock, preorder or backorder, also written “in stock”. Products that are out of stock are not offered.",
        ],
        [
          "item_group_id",
          "Equal for variants of one product, such as sizes; up to 50 characters. A response offers one variant before it repeats the product. It is compared only within a campaign.",
        ],
        [
          "gtin",
          "GTIN-8, UPC, EAN, ISBN-13 or GTIN-14; stored with 14 digits. If several shops sell the same article, a response offers it once before it repeats it, unless it has an item_group_id. Numbers with a wrong check digit, coupon codes and store-internal numbers are ignored.",
        ],
        [
          "product_type",
          "Your own category, Shoes > Running, up to 750 characters. If there are several, the first is used.",
        ],
        [
          "google_product_category",
          "The path of names: Apparel & Accessories > Shoes. A number alone, such as 187, is ignored, because svc does not contain the names of Google’s taxonomy.",
        ],
        [
          "product_detail",
          "Features such as colour, as section:name:value, elements or objects. They are used only for matching; up to 500.",
        ],
        ["rating", "Only in NDJSON: { value, scale, count }, where the scale is 5 unless you set it."],
      ]}
    />
    <p>
      Offers show <Code>product_type</Code>, or without it <Code>google_product_category</Code>. Both are used for
      matching, and a channel that blocks either of them does not show the product.
    </p>
  </DocsSection>
);
