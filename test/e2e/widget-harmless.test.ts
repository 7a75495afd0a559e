import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../factories/wait-for";
import { KEY, offerId, openWidgetLab, SLOT, type Visit } from "./widget-visit";

const ICON = "https://icons.example/a.svg";

let visit: Visit;

const lab = await openWidgetLab();
beforeEach(async () => {
  visit = await lab.visit();
});
afterEach(() => visit.close());

describe("under a strict content security policy", () => {
  /** What the documentation tells a publisher to allow, on a page that allows nothing else. */
  const policy = (): string => {
    const { origin } = visit.stub;
    const documented = `script-src ${origin}; connect-src ${origin}; img-src https:`;
    return `default-src 'none'; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; ${documented}`;
  };

  const tags: [string, () => string][] = [
    ["the newest script", () => visit.scriptTag()],
    [
      "a version by its hash",
      () =>
        `<script async src="${visit.stub.origin}${lab.version.path}" integrity="${lab.version.integrity}" crossorigin data-key="${KEY}"></script>`,
    ],
  ];

  it.each(tags)("shows, dresses and counts offers without a violation by %s", async (_name, tag) => {
    await visit.page.route(ICON, (route) =>
      route.fulfill({ body: '<svg xmlns="http://www.w3.org/2000/svg"/>', contentType: "image/svg+xml" }),
    );
    visit.answer([visit.offer(1, { brand: { name: "Fellpath", iconUrl: ICON } })]);
    await visit.openFrozen(SLOT, { tag: tag(), headers: { "Content-Security-Policy": policy() } });
    await visit.page.clock.runFor(2_000);
    await waitFor(() => expect(visit.batches()).toEqual([[offerId(1)]]));
    expect(await visit.page.locator("[data-svc-offers] ul").evaluate((list) => getComputedStyle(list).display)).toBe(
      "grid",
    );
    expect(await visit.page.locator("[data-svc-offers] img").count()).toBe(1);
    expect((await visit.events()).filter(([name]) => name === "csp")).toEqual([]);
    expect(visit.consoleLines).toEqual([]);
  });

  it("does not run a script that is not the one of the hash", async () => {
    const other = `sha384-${"A".repeat(64)}`;
    const tag = `<script async src="${visit.stub.origin}${lab.version.path}" integrity="${other}" crossorigin data-key="${KEY}"></script>`;
    await visit.open(SLOT, { tag });
    await visit.page.waitForLoadState("load");
    expect(await visit.page.evaluate(() => window.svc)).toBeUndefined();
    expect(visit.stub.offersRequests).toEqual([]);
  });
});

describe("when there are no offers", () => {
  it("tells of an empty answer and its reason", async () => {
    visit.answerWith(200, { offers: [], reason: "frequency_cap" });
    await visit.open(SLOT, { tag: visit.scriptTag("data-debug") });
    expect(await visit.eventNamed("empty")).toEqual({ reason: "frequency_cap" });
    expect(await visit.page.locator("[data-svc-offers] a").count()).toBe(0);
    expect(visit.scriptLines).toEqual([]);
  });

  const failures: [string, () => void, RegExp][] = [
    ["500", () => visit.answerWith(500, "<html>"), /500/],
    ["an answer without offers", () => visit.answerWith(200, { hello: 1 }), /TypeError/],
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

  it("fails silently where an ad blocker stops the request", async () => {
    await visit.page.route(`${visit.stub.origin}/api/**`, (route) => route.abort("blockedbyclient"));
    await visit.open(`<p>An article</p>${SLOT}`);
    expect((await visit.eventNamed("error")).message).toMatch(/^TypeError/);
    expect(await visit.page.getByText("An article").isVisible()).toBe(true);
    expect(visit.scriptLines).toEqual([]);
  });

  it("leaves a page alone whose ad blocker stops the script: its calls wait and harm nothing", async () => {
    await visit.page.route(`${visit.stub.origin}/widget.js`, (route) => route.abort("blockedbyclient"));
    const calls = `<script>
      window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments) };
      svc("on", "rendered", () => {});
      svc("render", document.querySelector("[data-svc-offers]"), { query: "boots" });
    </script>`;
    await visit.open(`<p>An article</p>${SLOT}${calls}`);
    await visit.page.waitForLoadState("load");
    expect(await visit.page.evaluate("svc.q.length")).toBe(2);
    expect(await visit.page.getByText("An article").isVisible()).toBe(true);
    expect(visit.scriptLines).toEqual([]);
  });

  it("tells of a request without a network, and asks again when told to", async () => {
    await visit.open(`<div style="height:4000px"></div>${SLOT}<div style="height:4000px"></div>`);
    await visit.page.waitForFunction("window.svc && svc.ready");
    await visit.context.setOffline(true);
    await visit.scrollTo(3_600);
    await visit.eventNamed("error");
    expect(visit.stub.offersRequests).toEqual([]);
    await visit.context.setOffline(false);
    await visit.page.evaluate(() => window.svc?.("update"));
    await visit.eventNamed("rendered");
    expect(visit.scriptLines).toEqual([]);
  });

  /** What `POST /api/v1/offers` answers to a key that is not valid here: a page may not read it. */
  const refuse = (): Promise<unknown> =>
    visit.page.route("**/api/v1/offers", (route) =>
      route.request().method() === "POST" ? route.abort("failed") : route.continue(),
    );

  const mistakes: [string, { key?: string; arrange?: () => unknown; message: RegExp }][] = [
    ["a refused key", { key: KEY, arrange: refuse, message: /check data-key and channel origins$/ }],
    ["a pasted placeholder", { key: "svc_pub_…", message: /check data-key and channel origins$/ }],
    ["a missing key", { arrange: refuse, message: /check data-key and channel origins$/ }],
    [
      "a refused key on the API's own origin",
      {
        key: KEY,
        arrange: () => visit.answerWith(401, { error: { code: "unauthorized", message: "Unknown key." } }),
        message: /401 Unknown key\.$/,
      },
    ],
    [
      "links to another origin than the script's",
      {
        key: KEY,
        arrange: () => visit.answer([visit.offer(1, { clickUrl: "https://svc.example/api/v1/click/1" })]),
        message: /check data-api: clickUrl is https:\/\/svc\.example\/api\/v1\/click\/1$/,
      },
    ],
  ];

  it.each(mistakes)("writes one line about %s, whatever number of slots", async (_name, mistake) => {
    await mistake.arrange?.();
    const key = mistake.key ? `data-key="${mistake.key}"` : "";
    await visit.open(`${SLOT}<div data-svc-offers data-query="boots"></div>`, {
      tag: `<script async src="${visit.stub.origin}/widget.js" ${key}></script>`,
    });
    const errors = async () => (await visit.events()).filter(([name]) => name === "error");
    await waitFor(async () => expect(await errors()).toHaveLength(2));
    const ours = visit.scriptLines.filter((line) => line.startsWith("svc: "));
    expect(ours).toHaveLength(1);
    expect(ours[0]?.replace(/ JSHandle.*| div$/, "")).toMatch(mistake.message);
  });

  it("fails silently on a dead network, and writes one line with data-debug", async () => {
    await visit.page.route(`${visit.stub.origin}/api/**`, (route) => route.abort());
    await visit.open(SLOT, { tag: visit.scriptTag("data-debug") });
    await visit.eventNamed("error");
    const ours = visit.scriptLines;
    expect(ours).toHaveLength(1);
    expect(ours[0]).toMatch(/^svc: /);
  });
});
