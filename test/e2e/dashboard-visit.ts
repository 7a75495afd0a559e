import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect, vi } from "vitest";
import { openTab } from "../factories/browser";
import { BROWSER, LOOKS_FOR_MS } from "../factories/calls";
import type { ServerProcess } from "../factories/server-process";

const IDLE_WITHIN_MS = 15_000;
const TABS_MAX = 80;
/** What the browser writes when an engine did not respond in time, as on a busy machine; the page asks again. */
const BUSY = /^Failed to load resource: .* status of 503/;
/** Events reach reports within seconds. */
const REPORTED_WITHIN_MS = 60_000;

/** A tab; what its browser says of broken pages is added to `faults`, each with the address that it is about. */
export async function openPage(context: BrowserContext, faults: string[]): Promise<Page> {
  const page = await openTab(context);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => {
    if (line.type() === "error" && !BUSY.test(line.text())) faults.push(`${line.location().url}: ${line.text()}`);
  });
  return page;
}

/** Dialogs and forms move the focus a moment after what they show. */
export const hasFocus = (page: Page, target: Locator): Promise<void> => target.and(page.locator(":focus")).waitFor();

/** Where svc is, and whom it knows. */
export interface Account {
  url: string;
  demo: { dashboard: { email: string; password: string } };
}

/** Logs a context in without its form, which is tested where people come to it. */
export async function logIn(context: BrowserContext, { url, demo }: Account): Promise<void> {
  const { email, password } = demo.dashboard;
  const answer = await context.request.post(`${url}/api/trpc/openBrowserSession`, {
    headers: { origin: url },
    data: { email, password },
  });
  expect(answer.status()).toBe(200);
}

export async function logInByForm(page: Page, { url, demo }: Account): Promise<void> {
  await page.goto(`${url}/log-in`);
  await page.getByLabel("Email address").fill(demo.dashboard.email);
  await page.getByLabel("Password").fill(demo.dashboard.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(`${url}/offers`);
}

export const region = (page: Page, name: string): Locator => page.getByRole("region", { name });

/** Leaves a mark that the next load of the page would wipe away. */
export const mark = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (window as { isMarked?: boolean }).isMarked = true;
  });

export const isMarked = (page: Page): Promise<boolean> =>
  page.evaluate(() => (window as { isMarked?: boolean }).isMarked === true);

/** Headings stand at once, content when its skeletons are gone. */
export async function waitUntilStable(page: Page): Promise<void> {
  // Behind a dialog it is hidden from the accessibility tree.
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !document.querySelector("main .animate-pulse"));
  // On a busy machine a page that asks again and again is never idle.
  await page.waitForLoadState("networkidle", { timeout: IDLE_WITHIN_MS }).catch(() => undefined);
}

/** Presses Tab until the focus is on the target, and tells whether it is marked there for the eye. Fails when it never comes. */
export async function tabTo(page: Page, target: Locator): Promise<{ isMarked: boolean }> {
  for (let presses = 0; presses < TABS_MAX; presses++) {
    await page.keyboard.press("Tab");
    if (!(await target.evaluate((element) => element === document.activeElement))) continue;
    return target.evaluate((element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return { isMarked: (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none" };
    });
  }
  throw new Error(`The focus never came to ${target} in ${TABS_MAX} presses of Tab.`);
}

/** By the link that comes first in the focus order. */
export async function leapToContent(page: Page): Promise<void> {
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  await hasFocus(page, page.locator("#content"));
}

export const post = (address: string, headers: Record<string, string>, body: object): Promise<Response> =>
  fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

export interface Served {
  id: string;
  clickUrl: string;
}

/** The offers that a request gets. Fails when there are none. */
export async function serveOffers(url: string, key: string, request: object): Promise<Served[]> {
  const answer = await post(`${url}/api/v1/offers`, { "x-svc-api-key": key }, request);
  expect(answer.status).toBe(200);
  const { offers } = (await answer.json()) as { offers: Served[] };
  expect(offers.length).toBeGreaterThan(0);
  return offers;
}

export async function reportSeen(url: string, key: string, offers: readonly Served[]): Promise<void> {
  const body = { ids: offers.map(({ id }) => id) };
  expect((await post(`${url}/api/v1/impressions/batch`, { "x-svc-api-key": key }, body)).status).toBe(204);
}

/** A person's click: as long after serving as one needs to look. The click id that the landing page gets. */
export async function click({ clickUrl }: Served): Promise<string | undefined> {
  await new Promise((resolve) => setTimeout(resolve, LOOKS_FOR_MS));
  const answer = await fetch(clickUrl, { redirect: "manual", headers: { "user-agent": BROWSER } });
  return new URL(answer.headers.get("location") ?? "").searchParams.get("svc_click_id") ?? undefined;
}

/** Resolves when the demo tenant's live report of today holds so many impressions. */
export async function reportCounts(
  { url, demo }: { url: string; demo: Pick<ServerProcess["demo"], "api"> },
  impressions: number,
): Promise<void> {
  const headers = { authorization: `Bearer ${demo.api.live_key}` };
  await vi.waitFor(
    async () => {
      const answer = await fetch(`${url}/v1/ads/reports`, { headers });
      const { totals } = (await answer.json()) as { totals: { impressions: number } };
      expect(totals.impressions).toBeGreaterThanOrEqual(impressions);
    },
    { timeout: REPORTED_WITHIN_MS, interval: 500 },
  );
}
