import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { first, KEY, offerId, openWidgetLab, SLOT, type Visit, type WidgetLab } from "./widget-visit";

const SIZE_LIMIT_BYTES = 5_000;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let lab: WidgetLab;
let visit: Visit;

beforeAll(async () => {
  lab = await openWidgetLab();
}, 120_000);
afterAll(() => lab?.close());
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

it("stays within 5 kB gzip", () => {
  expect(gzipSync(lab.widget).length).toBeLessThanOrEqual(SIZE_LIMIT_BYTES);
});

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
    const link = visit.page.getByRole("link", { name: "Shop now: Trail shoe 1 (sponsored, opens in a new tab)" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(`${visit.stub.origin}/api/v1/clicks/${offerId(1)}`);
    expect(await link.getAttribute("rel")).toBe("sponsored noopener");
    expect(await link.getAttribute("target")).toBe("_blank");
  });

  it("says Sponsored on each card to the eye and in the accessibility tree", async () => {
    visit.answer([visit.offer(1), visit.offer(2)]);
    await visit.open(SLOT);
    await visit.eventNamed("rendered");
    expect(await visit.page.getByText("Sponsored", { exact: true }).filter({ visible: true }).count()).toBe(2);
    const tree = await visit.page.locator("body").ariaSnapshot();
    expect(tree).toMatch(/list "Sponsored offers"/);
    expect(tree.match(/listitem:\s+- \S*\s*Sponsored/g)).toHaveLength(2);
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

  it("formats price, discount and rating in the page's language", async () => {
    const price = { amount: 1089.5, currency: "EUR", originalPrice: 1450, discount: 25 };
    visit.answer([visit.offer(1, { price, rating: { value: 4.63, scale: 5, count: 1203 } })]);
    await visit.open(`<div lang="de">${SLOT}</div>`);
    await visit.eventNamed("rendered");
    const facts = (await visit.page.locator(".facts").textContent())?.replaceAll(/\s+/g, " ");
    expect(facts).toContain("1.089,50 €");
    expect(facts).toContain("-25 %");
    expect(facts).toContain("★ 4,6 (1.203)");
    expect(await visit.page.getByRole("img", { name: "Rated 4,6 out of 5 by 1.203" }).count()).toBe(1);
  });

  it("loads an icon lazily and by https only", async () => {
    await visit.page.route("https://icons.example/a.png", (route) =>
      route.fulfill({ body: PIXEL, contentType: "image/png" }),
    );
    const secure = visit.offer(1, { brand: { name: "A", iconUrl: "https://icons.example/a.png" } });
    const plain = visit.offer(2, { brand: { name: "B", iconUrl: "http://icons.example/b.png" } });
    visit.answer([secure, plain]);
    await visit.open(SLOT);
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
    await vi.waitFor(() => expect(visit.stub.offersRequests).toHaveLength(1));
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
    await visit.page.evaluate(() => window.svc?.refresh());
    await vi.waitFor(() => expect(visit.stub.offersRequests).toHaveLength(2));
  });

  it("fills slots added later", async () => {
    await visit.open("<p>An article</p>");
    await visit.page.waitForFunction(() => window.svc !== undefined);
    await visit.page.evaluate(() =>
      document.body.insertAdjacentHTML("beforeend", "<section><div data-svc-offers data-query=a></div></section>"),
    );
    expect(await visit.eventNamed("rendered")).toEqual({ ids: [offerId(1)] });
  });

  it("serves each slot once when the tag stands on the page twice", async () => {
    await visit.open(`${SLOT}<div data-svc-offers data-query="socks"></div>`, {
      tag: visit.scriptTag() + visit.scriptTag("id=again"),
    });
    await vi.waitFor(() => expect(visit.stub.offersRequests).toHaveLength(2));
    await visit.page.waitForLoadState("load");
    expect(await visit.page.locator("[data-svc-offers] ul").count()).toBe(2);
    expect(visit.stub.offersRequests).toHaveLength(2);
  });
});

describe("leaving the page unharmed", () => {
  it("works under a strict content security policy without a violation", async () => {
    const policy = [
      "default-src 'none'",
      `script-src ${visit.stub.origin}`,
      `connect-src ${visit.stub.origin}`,
      "style-src 'none'",
      "img-src https:",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join(";");
    await visit.openFrozen(SLOT, { headers: { "Content-Security-Policy": policy } });
    await visit.page.clock.runFor(2_000);
    await vi.waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
    expect(await visit.page.locator("[data-svc-offers] ul").evaluate((list) => getComputedStyle(list).display)).toBe(
      "grid",
    );
    expect((await visit.events()).filter(([name]) => name === "csp")).toEqual([]);
    expect(visit.consoleLines).toEqual([]);
  });

  it("tells of an empty answer and its reason", async () => {
    visit.answerWith(200, { offers: [], reason: "frequency_cap" });
    await visit.open(SLOT);
    expect(await visit.eventNamed("empty")).toEqual({ reason: "frequency_cap" });
    expect(await visit.page.locator("[data-svc-offers] ul").count()).toBe(0);
  });

  const failures: [string, () => void, RegExp][] = [
    [
      "401",
      () => visit.answerWith(401, { error: { code: "unauthorized", message: "Unknown key." } }),
      /401 Unknown key\./,
    ],
    ["500", () => visit.answerWith(500, "<html>"), /500/],
    ["an answer without offers", () => visit.answerWith(200, { hello: 1 }), /no offers/],
    [
      "an offer of odd shape",
      () => visit.answerWith(200, { offers: [visit.offer(1, { rating: 7, price: "free" }), null] }),
      /./,
    ],
  ];

  it.each(failures)("fails silently on %s", async (name, arrange, message) => {
    arrange();
    await visit.open(`<p>An article</p>${SLOT}`);
    if (name.startsWith("an offer")) await visit.eventNamed("rendered");
    else expect((await visit.eventNamed("error")).message).toMatch(message);
    expect(await visit.page.getByText("An article").isVisible()).toBe(true);
    expect(visit.scriptLines).toEqual([]);
  });

  it("fails silently on a dead network, and writes one line with data-debug", async () => {
    await visit.page.route(`${visit.stub.origin}/api/**`, (route) => route.abort());
    await visit.open(SLOT, { tag: visit.scriptTag("data-debug") });
    await visit.eventNamed("error");
    const ours = visit.scriptLines;
    expect(ours).toHaveLength(1);
    expect(ours[0]).toMatch(/^svc: no offers for this slot: /);
  });
});
