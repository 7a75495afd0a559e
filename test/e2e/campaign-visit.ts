import type { BrowserContext, Page } from "playwright-core";
import { openTab, sharedBrowser } from "../factories/browser";
import { type Account, logIn } from "./dashboard-visit";

/** Chromium logs every answer of 400 and above; a refused field is one. */
const REFUSED = /^Failed to load resource/;
/** What a press leads to, on a machine that may have other work. */
const STEP_WITHIN_MS = 30_000;
/** The demo has some twenty advertisers with four stops each. */
const TABS_MAX = 200;

export interface DashboardVisit {
  context: BrowserContext;
  page: Page;
  /** What the browser said when a page was broken. */
  faults: string[];
  close: () => Promise<void>;
}

/** A tab in which the owner of a tenant is logged in, for one test file, which closes it. */
export async function visitDashboard(server: Account): Promise<DashboardVisit> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  context.setDefaultTimeout(STEP_WITHIN_MS);
  await logIn(context, server);
  const page = await openTab(context);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => {
    if (line.type() === "error" && !REFUSED.test(line.text())) faults.push(line.text());
  });
  return { context, page, faults, close: () => context.close() };
}

/** What assistive technology learns of a field: whether it is wrong, what is said of it, whether it has the focus. */
export const fieldState = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).evaluate((field) => ({
    invalid: field.getAttribute("aria-invalid"),
    focused: field === document.activeElement,
    said: (field.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(" ")
      .trim(),
  }));

/** Presses Tab until the focus is on what is called so. Fails when it never is. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let press = 0; press < TABS_MAX; press++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const at = document.activeElement as (HTMLElement & { labels?: NodeListOf<HTMLElement> }) | null;
      return (at?.getAttribute("aria-label") ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? "").trim();
    });
    if (focused === name) return;
    seen.push(focused);
  }
  throw new Error(`Tab never came to "${name}": ${seen.join(" | ")}`);
}

/** The cells of each row of a table on the page, without its heading. */
export const rowsOf = (page: Page, caption: string): Promise<string[][]> =>
  page
    .getByRole("table", { name: caption })
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("th, td")].map((cell) => (cell.textContent ?? "").trim())),
    );
