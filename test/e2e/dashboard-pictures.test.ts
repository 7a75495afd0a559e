import type { Locator, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownDemo } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";
import { visitDashboard } from "./campaign-visit";
import { post, serveOffers } from "./dashboard-visit";
import { flawsOfState } from "./look";
import { wordOf } from "./product-feed";

const CDN = "https://pictures.example";
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
/** No feed can have it: it is put into what the server sends to the page. */
const SCRIPT = "javascript:document.title=1";
/** Each has a word of its own, by which it is found. */
const PRODUCTS = {
  good: { title: `${wordOf(71)} lantern`, image_link: `${CDN}/good.svg`, brand: "Fjordlys" },
  broken: { title: `${wordOf(72)} lantern`, image_link: `${CDN}/broken.svg`, brand: "Fjordlys" },
  plain: { title: `${wordOf(73)} lantern`, image_link: "http://pictures.example/plain.svg" },
  script: { title: `${wordOf(74)} lantern`, image_link: `${CDN}/script.svg` },
  missing: { title: `${wordOf(75)} lantern` },
};

const asked: Request[] = [];

const server = await ownDemo();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;
const campaignId = await makeCampaign();
page.on("request", (request) => {
  if (new URL(request.url()).hostname === "pictures.example") asked.push(request);
});
await page.route(/^https?:\/\/pictures\.example\//, (route) =>
  route.request().url().endsWith("/broken.svg")
    ? route.fulfill({ status: 404 })
    : route.fulfill({ contentType: "image/svg+xml", body: SQUARE }),
);
await page.route("**/api/trpc/*listProducts*", async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: (await response.text()).replaceAll(`${CDN}/script.svg`, SCRIPT) });
});

/** A campaign with the products above, which serve. */
async function makeCampaign(): Promise<string> {
  const { url, demo } = server;
  const ads = `${url}/v1/ads`;
  const key = { authorization: `Bearer ${demo.api.live_key}` };
  const made = async (path: string, body: object) => {
    const answer = await post(ads + path, key, body);
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  };
  const advertiser_id = await made("/advertisers", { name: "Harbor & Light", icon_url: `${CDN}/icon.svg` });
  const campaign = { advertiser_id, name: "Lanterns", model: "cpc", bid_micros: 900_000 };
  const id = await made("/campaigns", campaign);
  const products = Object.entries(PRODUCTS).map(([name, product]) => ({ id: name, link: `${CDN}/p`, ...product }));
  const feed = await fetch(`${ads}/campaigns/${id}/products`, {
    method: "POST",
    headers: { ...key, "content-type": "application/x-ndjson" },
    body: products.map((product) => JSON.stringify(product)).join("\n"),
  });
  expect(await feed.json()).toMatchObject({ accepted: products.length, rejected: 0 });
  for (const { title } of [PRODUCTS.good, PRODUCTS.broken]) {
    const offered = () => serveOffers(url, demo.channel.server_key, { query: title });
    await waitFor(async () => expect(await offered()).toContainEqual(expect.objectContaining({ title })));
  }
  return id;
}

const rowOf = (table: string, text: string): Locator =>
  page.getByRole("table", { name: table }).getByRole("row", { name: text });
const markIn = (row: Locator): Locator => row.locator("[data-initials]");
/** Resolves when the picture of a row has pixels. */
async function loaded(row: Locator): Promise<Locator> {
  const picture = row.locator("img");
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  return picture;
}
describe("a campaign's products", () => {
  const product = (name: keyof typeof PRODUCTS) => rowOf("Products", PRODUCTS[name].title);

  it("show their https pictures, and where there is none the mark of the brand in the same place", async () => {
    const response = await page.goto(`${server.url}/offers/campaigns/${campaignId}?tab=products`);
    expect(response?.headers()["content-security-policy"]).toMatch(/(^|; )img-src 'self' data: https:(;|$)/);
    const picture = await loaded(product("good"));
    expect(await picture.getAttribute("alt")).toBe("");
    await markIn(product("broken")).waitFor();
    const [shown, mark] = [await picture.boundingBox(), await markIn(product("broken")).boundingBox()];
    expect([shown?.width, shown?.height, shown?.x]).toEqual([40, 40, mark?.x]);
    expect([mark?.width, mark?.height]).toEqual([40, 40]);
    // The brand, else the advertiser.
    const initials = (name: keyof typeof PRODUCTS) => markIn(product(name)).getAttribute("data-initials");
    expect(await initials("broken")).toBe("F");
    for (const name of ["plain", "script", "missing"] as const) await expect.poll(() => initials(name)).toBe("HL");
    expect(await page.getByRole("table", { name: "Products" }).locator("img").count()).toBe(1);
    expect(await flawsOfState(page)).toEqual([]);
    // The browser says of each URL that the page tried and the policy blocked.
    expect(visit.faults).toEqual([]);
  });

  it("are fetched by https, and their server does not learn the page's address", async () => {
    expect(asked.map((request) => request.url())).toContain(`${CDN}/good.svg`);
    for (const request of asked) {
      expect(request.url()).toMatch(/^https:/);
      expect((await request.allHeaders()).referer).toBeUndefined();
    }
  });
});

it("explains an offer beside its picture, or the mark of its brand", async () => {
  const explain = (query: string) =>
    page.goto(`${server.url}/offers/explain?channel_id=${server.demo.channel.id}&query=${encodeURIComponent(query)}`);
  await explain(PRODUCTS.good.title);
  await loaded(rowOf("Offered, best first", PRODUCTS.good.title));
  expect(await flawsOfState(page)).toEqual([]);
  await explain(PRODUCTS.broken.title);
  const mark = markIn(rowOf("Offered, best first", PRODUCTS.broken.title));
  expect(await mark.getAttribute("data-initials")).toBe("F");
});

it("shows the icon of an advertiser, or its mark, in lists and above a campaign", async () => {
  await page.goto(`${server.url}/offers/advertisers`);
  await loaded(rowOf("Advertisers", "Harbor & Light"));
  const brand = rowOf("Advertisers", "Ridgeline & Pike");
  expect(await markIn(brand).getAttribute("data-initials")).toBe("RP");
  // What is read aloud and copied has the name once.
  expect(await brand.getByRole("rowheader").textContent()).toBe("Ridgeline & Pike");
  expect(await flawsOfState(page)).toEqual([]);
  await page.goto(`${server.url}/offers/campaigns?q=Lanterns`);
  await loaded(rowOf("Campaigns", "Lanterns"));
  await page.goto(`${server.url}/offers/campaigns/${campaignId}`);
  await loaded(page.locator("header").filter({ hasText: "Lanterns" }));
});

it("shows the demo's own pictures, which this server has", async () => {
  await page.goto(`${server.url}/offers/campaigns?q=Ridgeline`);
  await rowOf("Campaigns", "Ridgeline").getByRole("link", { name: "Ridgeline & Pike" }).click();
  await page.waitForURL(/\/offers\/campaigns\/cmp_/);
  await page.goto(`${page.url()}?tab=products`);
  const pictures = page.getByRole("table", { name: "Products" }).locator("img");
  await pictures.first().waitFor();
  await expect.poll(() => pictures.count()).toBe(10);
  for (const picture of await pictures.all()) {
    expect(await picture.getAttribute("src")).toMatch(new RegExp(`^${server.url}/demo/pictures/[a-z-]+\\.svg$`));
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  expect(await flawsOfState(page)).toEqual([]);
  expect(visit.faults).toEqual([]);
});
