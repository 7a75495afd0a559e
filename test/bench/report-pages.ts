import type { Browser, BrowserContext } from "playwright-core";
import { launchBrowser } from "../factories/browser";
import { type ServerProcess, startServerProcess } from "../factories/server-process";
import { campaignId, channelId } from "./report-year";

const VISITS = 5;
const DAY_MS = 86_400_000;

interface PageTime {
  page: string;
  at: string;
  /** Holds the figures once they are shown. */
  selector: string;
  /** What must stand in it. */
  figure: RegExp;
}

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const pagesOf = (): PageTime[] => [
  { page: "overview", at: "/offers?mode=live", selector: '[aria-label="Today\'s figures"] dd', figure: /[1-9]/ },
  { page: "reports, 7 days by day", at: "/offers/reports?mode=live", selector: "main table td", figure: /[1-9]/ },
  {
    page: "reports, a year by day",
    selector: "main table td",
    figure: /[1-9]/,
    at: `/offers/reports?mode=live&from=${dayBefore(364)}`,
  },
  {
    page: "reports, a year by campaign",
    selector: "main table td",
    figure: /[1-9]/,
    at: `/offers/reports?mode=live&from=${dayBefore(364)}&group_by=campaign`,
  },
  { page: "campaign", at: `/offers/campaigns/${campaignId(0, 0)}`, selector: "#budget", figure: /[1-9]\d*[.,]\d\d/ },
  { page: "channel", at: `/offers/channels/${channelId(0, 0)}`, selector: "main dd", figure: /[1-9]/ },
  { page: "conversions", at: "/offers/conversions?mode=live", selector: "main table td", figure: /[1-9]/ },
];

/**
 * From the start of a navigation until the page shows a figure of the year's events, in Chromium against the built
 * server, which opens the data directory anew: medians of 5 visits with an empty browser cache, and of 5 that come back.
 */
export async function measurePages(dataDir: string, print: (line: string) => void): Promise<void> {
  const server = await startServerProcess({ dataDir });
  const browser = await launchBrowser();
  try {
    const state = await logIn(browser, server);
    print(`| page | first visit ms | of them the server's HTML | again ms | slowest of all |`);
    print("|---|---|---|---|---|");
    for (const page of pagesOf()) {
      const isShown = await visitPage(await browser.newContext({ storageState: state }), server.url, page).catch(
        () => undefined,
      );
      if (!isShown) {
        print(`| ${page.page} | showed no figure |`);
        continue;
      }
      const first: Visit[] = [];
      const again: Visit[] = [];
      for (let visit = 0; visit < VISITS; visit++) {
        const context = await browser.newContext({ locale: "en-US", storageState: state });
        first.push(await visitPage(context, server.url, page));
        again.push(await visitPage(context, server.url, page));
        await context.close();
      }
      const slowest = Math.max(...[...first, ...again].map(({ shownMs }) => shownMs));
      const ms = (visits: Visit[], of: keyof Visit) => median(visits.map((visit) => visit[of])).toFixed(0);
      print(
        `| ${page.page} | ${ms(first, "shownMs")} | ${ms(first, "htmlMs")} | ${ms(again, "shownMs")} | ${slowest.toFixed(0)} |`,
      );
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function logIn(browser: Browser, { url, demo }: ServerProcess) {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  await page.goto(`${url}/log-in`);
  await page.getByLabel("Email address").fill(demo.dashboard.email);
  await page.getByLabel("Password").fill(demo.dashboard.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(`${url}/offers`);
  const state = await context.storageState();
  await context.close();
  return state;
}

interface Visit {
  shownMs: number;
  htmlMs: number;
}

/** Times are the page's own, counted from the start of its navigation, taken in the frame after the figure stands. */
async function visitPage(context: BrowserContext, url: string, { at, selector, figure }: PageTime): Promise<Visit> {
  const page = await context.newPage();
  await page.goto(url + at, { waitUntil: "commit" });
  const shown = await page.waitForFunction(
    ([where, pattern]) => {
      const isShown = [...document.querySelectorAll(where)].some(({ textContent }) =>
        new RegExp(pattern).test(textContent ?? ""),
      );
      return isShown && performance.now();
    },
    [selector, figure.source] as const,
    { polling: "raf" },
  );
  const shownMs = Number(await shown.jsonValue());
  const htmlMs = await page.evaluate(
    () => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).responseEnd,
  );
  await page.close();
  return { shownMs, htmlMs };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
