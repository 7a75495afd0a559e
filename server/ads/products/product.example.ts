import { EXAMPLE_TIMES, exampleId } from "../../operation/example";
import type { Product } from "./product";

const LINK = "https://fjell.example/tr3-42";

export const productExample: Product = {
  id: exampleId("prd"),
  campaign_id: exampleId("cmp"),
  external_id: "TR3-42",
  title: "Trail runner 3, size 42",
  description: "Grips on wet rock.",
  link: LINK,
  image_link: null,
  brand: "Fjell",
  gtin: "04006381333931",
  item_group_id: "TR3",
  category: "Shoes>Running",
  google_product_category: "Apparel & Accessories>Shoes",
  availability: "in_stock",
  details: [{ name: "Weight", value: "270 g" }],
  price: { amount: 89, currency: "USD", original_price: 109 },
  sale: {
    amount: 89,
    currency: "USD",
    starts_at: "2026-11-20T00:00:00.000Z",
    ends_at: "2026-11-27T23:59:59.999Z",
  },
  rating: null,
  ...EXAMPLE_TIMES,
};

/** The path parameters of one product. */
export const productPathExample = { id: productExample.campaign_id, product_id: productExample.id };

const RSS = `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>TR3-42</g:id><title>Trail runner 3</title><link>${LINK}</link><g:price>89.00 USD</g:price></item></channel></rss>`;

/** A feed of one product, by media type. */
export const feedExamples = {
  "application/x-ndjson": `{"id":"TR3-42","title":"Trail runner 3, size 42","link":"${LINK}","price":"89.00 USD"}\n`,
  "text/csv": `id,title,link,price\nTR3-42,"Trail runner 3, size 42",${LINK},89.00 USD\n`,
  "application/xml": RSS,
  "application/rss+xml": RSS,
};
