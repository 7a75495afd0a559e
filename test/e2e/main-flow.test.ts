import { randomUUID } from "node:crypto";
import type { BrowserContext, Page, Response } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTab, sharedBrowser } from "../factories/browser";
import { ownTenant } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";
import { logInByForm } from "./dashboard-visit";
import { type Site, startSite } from "./offers-stub";
import { chooseAction } from "./row-actions";

const QUERY = "noise cancelling headphones";
/** Events reach reports within seconds; the page is asked again until they are there. */
const REPORTED_WITHIN_MS = 60_000;

const [server, browser] = await Promise.all([ownTenant(), sharedBrowser({ keepsPages: true })]);

/** What browsers themselves write when a request was refused, as it is to be on a revoked key. */
const REFUSED = /^Failed to load resource|blocked by CORS policy/;

/** What a browser says when a page is broken. */
function watchFaults(page: Page, faults: string[] = []): string[] {
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => {
    if (line.type() === "error" && !REFUSED.test(line.text())) faults.push(line.text());
  });
  return faults;
}

const answerTo = (page: Page, at: string): Promise<Response> =>
  page.waitForResponse((response) => new URL(response.url()).pathname === at && response.request().method() === "POST");

/** The batches of impressions that a page sends from now on, each with its answer. */
function reportedBy(page: Page): { ids: string[]; status: number }[] {
  const batches: { ids: string[]; status: number }[] = [];
  page.on("response", (answer) => {
    if (new URL(answer.url()).pathname !== "/api/v1/impressions/batch" || answer.request().method() !== "POST") return;
    batches.push({ ids: JSON.parse(answer.request().postData() ?? "{}").ids ?? [], status: answer.status() });
  });
  return batches;
}

describe("from sign-up to the first click in a report", () => {
  let site: Site;
  let siteOrigin: string;
  let context: BrowserContext;
  let dashboard: Page;
  let faults: string[];
  /** The publisher's page, once it stands. A page draws only in front, so each is brought there before it is used. */
  let reader: Page;
  let browserKey: string;

  beforeAll(async () => {
    site = await startSite();
    siteOrigin = site.origin.replace("127.0.0.1", "localhost");
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    dashboard = await openTab(context);
    faults = watchFaults(dashboard);
  });
  afterAll(async () => {
    await context?.close();
    await site?.close();
  });
  // Each test goes on where the one before ended.
  beforeEach(({ task, skip }) => {
    const before = task.suite?.tasks ?? [];
    if (before.some((one) => one.result?.state === "fail")) skip("the step before failed");
  });

  it("signs up, and lands on an overview that says what comes first", async () => {
    await dashboard.goto(`${server.url}/sign-up`);
    await dashboard.getByLabel("Email address").fill(`ada-${randomUUID()}@publisher.example`);
    await dashboard.getByLabel("Company or site").fill("Trail Notes");
    await dashboard.getByLabel("Password").fill("five quiet otters swim");
    await dashboard.getByRole("button", { name: "Create account" }).click();
    await dashboard.waitForURL(`${server.url}/offers`);
    await dashboard.getByRole("heading", { name: "Show your first offer" }).waitFor();
  });

  it("creates a channel for the publisher's origin", async () => {
    await dashboard.getByRole("link", { name: "Channels" }).first().click();
    await dashboard.getByRole("button", { name: "Create channel" }).first().click();
    const dialog = dashboard.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Trail Notes");
    await dialog.getByLabel("Origins").fill(siteOrigin);
    await dialog.getByRole("button", { name: "Create test channel" }).click();
    await dashboard.getByRole("heading", { name: "Trail Notes", level: 1 }).waitFor();
  });

  it("shows a browser key in full, also after a reload, and in the snippet to paste", async () => {
    const keys = dashboard.getByRole("region", { name: "Keys" });
    await keys.getByRole("button", { name: "New browser key" }).click();
    const shownKey = keys.getByRole("table", { name: "Keys of this channel" }).getByText(/^svc_pub_/);
    browserKey = (await shownKey.textContent()) ?? "";
    expect(browserKey).toMatch(/^svc_pub_[a-z2-7]{48}$/);
    await dashboard.reload();
    expect(await shownKey.textContent()).toBe(browserKey);

    const snippets = dashboard.getByRole("region", { name: "Show offers" });
    await snippets.getByLabel("Offers at most").selectOption("1");
    const shown = snippets.locator("pre").first();
    await shown.filter({ hasText: `data-key="${browserKey}"` }).waitFor();
    const snippet = (await shown.textContent()) ?? "";
    site.pages.set("/", { html: publisherPage(snippet) });
  });

  it("shows a labelled offer for what a reader searches, and reports it once it was seen", async () => {
    reader = await context.newPage();
    watchFaults(reader, faults);
    await reader.goto(`${siteOrigin}/`);
    const offers = answerTo(reader, "/api/v1/offers");
    const reported = answerTo(reader, "/api/v1/impressions/batch");
    await search(reader, QUERY);
    expect((await offers).status()).toBe(200);
    await reader.getByText("Sponsored", { exact: true }).waitFor();
    expect(await reader.locator("[data-svc-offers] li").count()).toBe(1);
    const report = await reported;
    expect(report.status()).toBe(204);
    expect(JSON.parse(report.request().postData() ?? "").ids).toHaveLength(1);
  });

  it("opens the landing page of the offer with a click id", async () => {
    const landing = context.waitForEvent("page");
    await reader.locator("[data-svc-offers] a").click();
    const page = await landing;
    await page.waitForURL(/\/demo\/landing\//);
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toMatch(/^\/demo\/landing\//);
    expect(searchParams.get("svc_click_id")).toMatch(/^[\w-]{16,}$/);
    await page.close();
  });

  it("counts one impression and one click in the report", async () => {
    await dashboard.bringToFront();
    await waitFor(
      async () => {
        await dashboard.goto(`${server.url}/offers/reports`);
        await dashboard.getByRole("row", { name: /^Total/ }).waitFor({ timeout: 15_000 });
        expect(await figuresOf(dashboard)).toMatchObject({ Impressions: "1", Clicks: "1" });
      },
      { timeout: REPORTED_WITHIN_MS, interval: 1_000 },
    );
    await dashboard.getByLabel("Group by").selectOption("traffic");
    await dashboard.getByRole("rowheader", { name: "Valid" }).waitFor();
    const kinds = dashboard.getByRole("region", { name: "Kinds of traffic" });
    expect(await kinds.getByRole("definition").allTextContents()).toContain(
      "Counts in every figure, and is what is paid for.",
    );
    await dashboard.goto(`${server.url}/offers`);
    await dashboard.getByRole("region", { name: "Today's figures" }).waitFor();
  });

  it("serves nothing more on a revoked key, and leaves the publisher's page whole", async () => {
    await dashboard.getByRole("link", { name: "Channels" }).first().click();
    await dashboard.getByRole("link", { name: "Trail Notes" }).click();
    await chooseAction(dashboard, /^Actions for the key/, "Revoke");
    const question = dashboard.getByRole("alertdialog").or(dashboard.getByRole("dialog"));
    await question.getByRole("button", { name: "Revoke key" }).click();
    await dashboard.getByText("revoked", { exact: true }).waitFor();
    // The serving process is notified within a second; until then it returns the old result.
    const body = JSON.stringify({ query: QUERY });
    const headers = { "content-type": "application/json", "x-svc-api-key": browserKey, origin: siteOrigin };
    await waitFor(async () =>
      expect((await fetch(`${server.url}/api/v1/offers`, { method: "POST", headers, body })).status).toBe(401),
    );
    await reader.bringToFront();
    await reader.goto(`${siteOrigin}/`);
    await search(reader, `${QUERY} again`);
    await reader.locator("[data-told=error]").waitFor();
    expect(await reader.locator("[data-svc-offers] li a").count()).toBe(0);
    expect(await reader.getByRole("heading", { name: "Trail Notes" }).isVisible()).toBe(true);
    expect(await reader.locator("#found").textContent()).toBe(`You looked for ${QUERY} again`);
  });

  it("says no word of trouble to any browser on the way", () => expect(faults).toEqual([]));
});

/** A page of a publisher who pasted the snippet under a search box, and put the search into `data-query`. */
const publisherPage = (snippet: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Zzyzx</title></head><body><h1>Trail Notes</h1><form id="search"><input name="q" aria-label="Search"><button>Go</button></form>
<p id="found"></p>
${snippet}
<script>
document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const query = new FormData(event.target).get("q");
  document.getElementById("found").textContent = "You looked for " + query;
  document.querySelector("[data-svc-offers]").dataset.query = query;
});
for (const told of ["rendered", "empty", "error"])
  addEventListener("svc:" + told, () => { document.body.dataset.told = told; });
</script></body></html>`;

async function search(page: Page, query: string): Promise<void> {
  await page.getByLabel("Search").fill(query);
  await page.getByRole("button", { name: "Go" }).click();
}

/** The report's totals by column. */
async function figuresOf(page: Page): Promise<Record<string, string>> {
  const names = await page.getByRole("columnheader").allTextContents();
  const values = await page
    .getByRole("row", { name: /^Total/ })
    .locator("th, td")
    .allTextContents();
  return Object.fromEntries(names.map((name, i) => [name.trim(), (values[i] ?? "").trim()]));
}

describe("the demo page", () => {
  it.each(["light", "dark"] as const)(
    "answers a search with offers that lead to their landing page, in %s",
    async (colorScheme) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        colorScheme,
        locale: "en-US",
      });
      try {
        const page = await openTab(context);
        const faults = watchFaults(page);
        const reported = reportedBy(page);
        await page.goto(`${server.url}/demo`);
        const offers = answerTo(page, "/api/v1/offers");
        await page.getByRole("searchbox", { name: "Search the guides" }).fill("espresso machine");
        await page.getByRole("button", { name: "Search" }).click();
        await offers;
        const results = page.locator("[data-placement=search_results]");
        await results.getByText("Sponsored", { exact: true }).first().waitFor();
        await results.locator("li").first().scrollIntoViewIfNeeded();
        const clickUrl = (await results.locator("a").first().getAttribute("href")) ?? "";
        await expect.poll(() => reported.find(({ ids }) => ids.some((id) => clickUrl.endsWith(id)))?.status).toBe(204);
        const landing = context.waitForEvent("page");
        await results.locator("a").first().click();
        const opened = await landing;
        await opened.waitForURL(/\/demo\/landing\//);
        expect(new URL(opened.url()).searchParams.has("svc_click_id")).toBe(true);
        expect(faults).toEqual([]);
      } finally {
        await context.close();
      }
    },
  );
});

describe("an address that PUBLIC_URL does not name", () => {
  it.each(["/demo?q=tent", "/log-in", "/offers"])("leads to the same page at PUBLIC_URL: %s", async (at) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${at}`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([307, server.url + at]);
  });
});

it("shows the demo's user what happened on the demo page: live mode, unless they chose otherwise", async () => {
  const context = await browser.newContext({ locale: "en-US" });
  try {
    const page = await openTab(context);
    await logInByForm(page, server);
    expect(await page.getByRole("radio", { name: "Live" }).isChecked()).toBe(true);
    await page.goto(`${server.url}/offers/channels?mode=test`);
    await waitFor(async () =>
      expect(await context.cookies()).toContainEqual(expect.objectContaining({ name: "svc_mode", value: "test" })),
    );
    await page.goto(`${server.url}/offers/channels`);
    expect(await page.getByRole("radio", { name: "Test" }).isChecked()).toBe(true);
  } finally {
    await context.close();
  }
});
