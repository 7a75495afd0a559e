import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WidgetVersion } from "../../widget/widget-version.mjs";
import { openTab, sharedBrowser } from "../factories/browser";
import { ownDemo } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";

const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
] as const;

let context: BrowserContext;
let page: Page;
let faults: string[];

const [server, browser] = await Promise.all([ownDemo(), sharedBrowser()]);
beforeEach(async () => {
  faults = [];
  context = await browser.newContext({ locale: "en-US" });
  page = await openTab(context);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
});
afterEach(() => context.close());

const cards = (placement: string) => page.locator(`[data-placement=${placement}] li a`);

describe("the demo page", () => {
  it.each(LOOKS)("moves nothing when its offers arrive at $width px, $colorScheme", async (look) => {
    const { width, colorScheme } = look;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const address of ["/demo", "/demo?q=trail+running+shoes"]) {
      await page.goto(server.url + address);
      await page.locator("[data-placement=article_inline]").scrollIntoViewIfNeeded();
      await cards("article_inline").first().waitFor();
      if (address.includes("?")) {
        await cards("search_results").nth(2).waitFor();
        expect(await cards("search_results").count()).toBe(3);
      }
      expect(await page.evaluate("shifts")).toEqual([]);
    }
    expect(faults).toEqual([]);
  });

  it("follows a search that changes only the address", async () => {
    await page.goto(`${server.url}/demo?q=trail+running+shoes`);
    const titles = page.locator("[data-placement=search_results] .title");
    await titles.first().waitFor();
    const before = await titles.allTextContents();
    await page.getByRole("link", { name: "espresso machine for home" }).first().click();
    await waitFor(async () => {
      const now = await titles.allTextContents();
      expect(now.length).toBeGreaterThan(0);
      expect(now).not.toEqual(before);
    });
    expect(faults).toEqual([]);
  });

  it("is served as well by the version that /widget.json names, checked by its integrity", async () => {
    const version: WidgetVersion = await (await fetch(`${server.url}/widget.json`)).json();
    const tag = `<script async src="${server.url}${version.path}" integrity="${version.integrity}" crossorigin data-key="${server.demo.channel.browser_key}"></script>`;
    await page.route(`${server.url}/pinned`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><html lang="en"><title>Shoes</title><h1>Shoes</h1><div data-svc-offers data-query="trail running shoes"></div>${tag}`,
      }),
    );
    await page.goto(`${server.url}/pinned`);
    await page.getByText("Sponsored", { exact: true }).waitFor();
    const cache = (await fetch(server.url + version.path)).headers.get("cache-control");
    expect(cache).toBe("public, max-age=31536000, immutable");
    expect(faults).toEqual([]);
  });
});
