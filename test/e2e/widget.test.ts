import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../factories/wait-for";
import { first, KEY, offerId, openWidgetLab, SLOT, slotOf, type Visit } from "./widget-visit";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

describe("showing offers", () => {
  it("asks with the channel key and the slot's attributes, and keeps nothing in the browser", async () => {
    await visit.open('<div data-svc-offers data-query="trail shoes" data-placement="sidebar" data-limit="3"></div>');
    await visit.eventNamed("rendered");
    expect(visit.stub.offersRequests).toHaveLength(1);
    const { headers, body } = first(visit.stub.offersRequests);
    expect(headers["x-svc-api-key"]).toBe(KEY);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers.cookie).toBeUndefined();
    expect(JSON.parse(body)).toEqual({
      query: "trail shoes",
      context: "Shoes",
      placement: "sidebar",
      limit: 3,
      locale: "en-US",
      device: "desktop",
    });
    expect(await visit.page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      "",
    ]);
  });

  it("sends a user_id only when the page gives one", async () => {
    await visit.open(SLOT, { tag: visit.scriptTag('data-user-id="4f1c"') });
    await visit.eventNamed("rendered");
    expect(JSON.parse(visit.stub.offersRequests[0]?.body ?? "{}").user_id).toBe("4f1c");
  });

  it("shows advertiser markup as text and runs none of it", async () => {
    const title = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
    visit.answer([visit.offer(1, { title, content: title, cta: title, brand: { name: title } })]);
    await visit.open(SLOT);
    await visit.eventNamed("rendered");
    expect(await visit.page.locator(".title").textContent()).toBe(title);
    expect(await visit.page.locator("[data-svc-offers] img, [data-svc-offers] script").count()).toBe(0);
    expect(await visit.page.evaluate(() => "pwned" in window)).toBe(false);
  });

  it("links by clickUrl, marked as sponsored, in a new tab without opener", async () => {
    await visit.open(SLOT);
    const link = visit.page.getByRole("link", { name: "Shop now: Trail shoe 1 (Sponsored)" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`${visit.stub.origin}/api/v1/clicks/${offerId(1)}`);
    expect(await link.getAttribute("rel")).toBe("sponsored noopener");
    expect(await link.getAttribute("target")).toBe("_blank");
  });

  it.each([
    ["de-AT", "Anzeige"],
    ["fr", "Sponsorisé"],
    ["es_MX", "Patrocinado"],
    ["it", "Sponsorizzato"],
    ["pt-BR", "Patrocinado"],
    ["ja", "広告"],
    ["nl", "Sponsored"],
  ])("labels offers in the language of the page, %s, or else in English", async (lang, label) => {
    await visit.open(SLOT, { root: `lang="${lang}"` });
    await visit.page.getByText(label, { exact: true }).waitFor();
    await visit.page.getByRole("link", { name: `Shop now: Trail shoe 1 (${label})`, exact: true }).waitFor();
  });

  it("labels offers in the language of the slot, where it has one of its own", async () => {
    await visit.open('<div data-svc-offers data-query="trail shoes" lang="de"></div>');
    await visit.page.getByText("Anzeige", { exact: true }).waitFor();
  });

  it("says Sponsored on each card to the eye and in the accessibility tree", async () => {
    visit.answer([visit.offer(1), visit.offer(2)]);
    await visit.open(slotOf(2));
    await visit.eventNamed("rendered");
    expect(await visit.page.getByText("Sponsored", { exact: true }).filter({ visible: true }).count()).toBe(2);
    const tree = await visit.page.locator("body").ariaSnapshot();
    expect(tree).toMatch(/- list:/);
    expect(tree.match(/listitem:\s+- \S*\s*Sponsored/g)).toHaveLength(2);
  });

  describe("served from another host than the API", () => {
    const CDN = "https://cdn.example";
    const tag = (attributes: string) =>
      `<script async src="${CDN}/widget.js" data-key="${KEY}" ${attributes}></script>`;
    beforeEach(async () => {
      const body = await (await fetch(`${visit.stub.origin}/widget.js`)).text();
      await visit.page.route(`${CDN}/widget.js`, (route) => route.fulfill({ body, contentType: "text/javascript" }));
    });

    it("asks, links and reports to the origin of data-api", async () => {
      await visit.openFrozen(SLOT, { tag: tag(`data-api="${visit.stub.origin}/any/path"`) });
      await visit.page.clock.runFor(2_000);
      await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
      expect(await visit.page.getByRole("link").getAttribute("href")).toMatch(`${visit.stub.origin}/api/v1/clicks/`);
    });

    it("shows no offer whose link leads to the host of the script", async () => {
      visit.answer([visit.offer(2, { clickUrl: `${CDN}/api/v1/clicks/2` }), visit.offer(1)]);
      await visit.open(SLOT, { tag: tag(`data-api="${visit.stub.origin}"`) });
      expect(await visit.eventNamed("rendered")).toEqual({ ids: [offerId(1)] });
    });
  });

  it("shows no offer whose link leads off the API's origin", async () => {
    const links = [
      "javascript:alert(1)",
      "https://evil.example/x",
      `blob:${visit.stub.origin}/x`,
      "/relative",
      "",
      null,
    ];
    visit.answer([...links.map((clickUrl, n) => visit.offer(n + 2, { clickUrl })), visit.offer(1)]);
    await visit.open(SLOT);
    expect(await visit.eventNamed("rendered")).toEqual({ ids: [offerId(1)] });
    expect(await visit.page.locator("[data-svc-offers] li").count()).toBe(1);
  });

  it.each([
    ["de", "EUR", ["1.089,50 €", "1.450,00 €", "-25 %", "★ 4,63/5 (1.203)"]],
    ["en-US", "USD", ["$1,089.50", "$1,450.00", "-25%", "★ 4.63/5 (1,203)"]],
    ["ja", "JPY", ["￥1,090", "￥1,450", "-25%", "★ 4.63/5 (1,203)"]],
    ["ar-EG", "EGP", ["١٬٠٨٩٫٥٠", "١٬٤٥٠٫٠٠", "٢٥", "★ ٤٫٦٣/٥ (١٬٢٠٣)"]],
    ["en_GB", "GBP", ["£1,089.50", "£1,450.00", "-25%", "★ 4.63/5 (1,203)"]],
    ["no locale!", "no code", ["1089.5 no code", "1450 no code", "-0.25", "★ 4.63/5 (1203)"]],
  ])("formats price, discount and rating in the page's language: %s", async (lang, currency, expected) => {
    const price = { amount: 1089.5, currency, originalPrice: 1450, discount: 25 };
    visit.answer([visit.offer(1, { price, rating: { value: 4.63, scale: 5, count: 1203 } })]);
    await visit.open(`<div lang="${lang}">${SLOT}</div>`);
    await visit.eventNamed("rendered");
    const facts = (await visit.page.locator(".facts > *").allTextContents()).map((fact) => fact.replaceAll(/\s/g, " "));
    expect(facts).toEqual(expected.map((fact) => expect.stringContaining(fact)));
  });

  it("loads an icon lazily and by https only", async () => {
    await visit.page.route("https://icons.example/a.png", (route) =>
      route.fulfill({ body: PIXEL, contentType: "image/png" }),
    );
    const secure = visit.offer(1, { brand: { name: "A", iconUrl: "https://icons.example/a.png" } });
    const plain = visit.offer(2, { brand: { name: "B", iconUrl: "http://icons.example/b.png" } });
    visit.answer([secure, plain]);
    await visit.open(slotOf(2));
    await visit.eventNamed("rendered");
    const icons = visit.page.locator("[data-svc-offers] img");
    expect(await icons.count()).toBe(1);
    expect(
      await icons.evaluate((image: HTMLImageElement) => [image.src, image.loading, image.width, image.height]),
    ).toEqual(["https://icons.example/a.png", "lazy", 28, 28]);
  });
});

describe("following the page", () => {
  it("asks again when data-query changes, and a late answer never overwrites a newer one", async () => {
    let releaseFirst = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      releaseFirst = resolve;
    });
    visit.stub.answer = ({ query }) =>
      query === "second" ? { body: { offers: [visit.offer(2)] } } : { body: { offers: [visit.offer(1)] }, after: held };
    await visit.open(SLOT);
    await waitFor(() => expect(visit.stub.offersRequests).toHaveLength(1));
    await visit.page.evaluate(() => document.querySelector("[data-svc-offers]")?.setAttribute("data-query", "second"));
    expect(await visit.eventNamed("rendered")).toEqual({ ids: [offerId(2)] });
    releaseFirst();
    await visit.roundTrips();
    expect(await visit.page.locator(".title").allTextContents()).toEqual(["Trail shoe 2"]);
    expect((await visit.events()).map(([name]) => name)).toEqual(["rendered"]);
  });

  it("does not ask again when an attribute is set to what it was or the title changes", async () => {
    await visit.open(SLOT);
    await visit.eventNamed("rendered");
    await visit.page.evaluate(() => {
      document.title = "(1) Shoes";
      document.querySelector("[data-svc-offers]")?.setAttribute("data-query", "trail shoes");
    });
    await visit.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(visit.stub.offersRequests).toHaveLength(1);
    await visit.page.evaluate(() => window.svc?.("update"));
    await waitFor(() => expect(visit.stub.offersRequests).toHaveLength(2));
  });

  it("fills slots added later", async () => {
    await visit.open("<p>An article</p>");
    await visit.page.waitForFunction(() => window.svc !== undefined);
    await visit.page.evaluate(() =>
      document.body.insertAdjacentHTML("beforeend", "<section><div data-svc-offers data-query=a></div></section>"),
    );
    expect(await visit.eventNamed("rendered")).toEqual({ ids: [offerId(1)] });
  });

  it("serves each slot once when the tag is on the page twice", async () => {
    await visit.open(`${SLOT}<div data-svc-offers data-query="socks"></div>`, {
      tag: visit.scriptTag() + visit.scriptTag("id=again"),
    });
    await waitFor(() => expect(visit.stub.offersRequests).toHaveLength(2));
    await visit.page.waitForLoadState("load");
    await visit.page.locator("[data-svc-offers] ul").nth(1).waitFor();
    await visit.roundTrips();
    expect(await visit.page.locator("[data-svc-offers] ul").count()).toBe(2);
    expect(visit.stub.offersRequests).toHaveLength(2);
  });
});
