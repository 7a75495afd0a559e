import { afterEach, beforeEach, expect, it } from "vitest";
import { openWidgetLab, type Visit } from "./widget-visit";

const BARE = "<div data-svc-offers></div>";

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

it.each(["q", "query", "search", "s", "k", "p", "text", "wd"])(
  "reads the search of the page's own address: %s",
  async (name) => {
    await visit.open(BARE, { search: `?page=2&${name}=trail+%20shoes#top` });
    await visit.eventNamed("rendered");
    expect(visit.asked(0).query).toBe("trail shoes");
  },
);

it("reads the search that led to the page", async () => {
  await visit.open(BARE, { referer: `${visit.site.origin}/results?hl=en&q=rain+jacket` });
  await visit.eventNamed("rendered");
  expect(visit.asked(0).query).toBe("rain jacket");
});

it.each(["?q=jane%40example.com", "?q=call+555+010+4477", "?p=42", "?s=%20"])(
  "takes no query from %s: a person or nothing",
  async (search) => {
    await visit.open(BARE, { search });
    await visit.eventNamed("rendered");
    expect(visit.asked(0).query).toBe("");
  },
);

it("tells what the page is about, and nothing that was typed into it or names a person", async () => {
  const product = { "@graph": [{ "@type": "Product", name: "Alpine 3", category: "Tents", sku: "9913377" }] };
  const article = { "@type": ["NewsArticle"], headline: "Sleeping outside", author: { name: "Jane Roe" } };
  const head = `<title>Tents compared</title><meta name="keywords" content="tent, camping">
    <script type="application/ld+json">${JSON.stringify(product)}</script>
    <script type="application/ld+json">${JSON.stringify(article)}</script>
    <script type="application/ld+json">{broken</script>
    <script type="application/ld+json">null</script>`;
  const body = `<h1>The best
    tents</h1><h1>Order 1234567</h1><h1>mail me@example.com</h1>
    <form><h1>inside a form</h1><input name="q" value="secret"><textarea>secret</textarea></form>
    <svg><title>drawing</title></svg>`;
  await visit.open(`${body}${BARE}`, { head });
  await visit.eventNamed("rendered");
  expect(String(visit.asked(0).context).split(/\s+/).join(" ")).toBe(
    "Tents compared tent, camping The best tents Alpine 3 Tents Sleeping outside",
  );
});

it("leaves to the page what the page says, also when it says nothing", async () => {
  await visit.open('<div data-svc-offers data-query="" data-context="camping"></div>', { search: "?q=shoes" });
  await visit.eventNamed("rendered");
  expect(visit.asked(0)).toMatchObject({ query: "", context: "camping" });
});
