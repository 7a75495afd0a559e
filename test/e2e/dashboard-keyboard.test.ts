import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../factories/browser";
import { type ServerProcess, startServerProcess } from "../factories/server-process";
import { hasFocus, logIn, openPage, settle, tabTo } from "./dashboard-visit";
import { actionsFor } from "./row-actions";

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerProcess(), launchBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** By the link that comes first in the focus order. */
async function leapToContent(page: Page): Promise<void> {
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  await hasFocus(page, page.locator("#content"));
}

const channel = () => `/offers/channels/${server.demo.channel.id}`;

describe("by keyboard alone", () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce" });
    page = await openPage(context, []);
    await logIn(page, server.url, server.demo.dashboard);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  afterAll(() => context?.close());

  const MAIN: [string, "button" | "link" | "combobox" | "tab" | "textbox", string | RegExp][] = [
    ["/offers?mode=live", "link", "Reports"],
    ["/offers/channels?mode=live", "link", "Demo site"],
    ["/offers/campaigns?mode=live", "link", "Create campaign"],
    ["/offers/campaigns/new", "button", "Continue"],
    ["/offers/advertisers", "button", "Create advertiser"],
    ["/offers/reports?mode=live", "button", "Download CSV"],
    ["/offers/conversions", "button", "Send test order"],
    ["/offers/explain", "button", "Explain"],
    ["/cloud/pods", "button", "Create pod"],
    ["/cloud/webhooks", "button", "Create webhook"],
    ["/cloud/queues", "button", "Create queue"],
    ["/cloud/storage", "button", "Create bucket"],
    ["/cloud/secrets", "button", "Create secret"],
    ["/cloud/chat?mode=test", "button", "Add a model"],
    ["/cloud/chat/budgets?mode=live", "button", "Create budget"],
    ["/account/api-keys", "button", "Create key"],
    ["/account/projects", "button", "Create project"],
    ["/account/usage", "button", "Copy"],
    ["/account/audit-log", "button", "Verify log"],
    ["/account/settings", "button", "Invite"],
    ["/account/outbox", "link", "Documentation"],
  ];

  it.each(MAIN)("%s: the focus comes to the %s %s, and is seen there", async (address, role, name) => {
    await page.goto(server.url + address);
    const target = page.getByRole(role, { name, exact: typeof name === "string" }).first();
    await target.waitFor();
    await settle(page);
    // The first page is walked from its top; each link of the navigation fetches its page when the focus comes by.
    if (address !== MAIN[0]?.[0]) await leapToContent(page);
    expect(await tabTo(page, target)).toEqual({ isMarked: true });
  });

  it("leaps over the navigation", async () => {
    await page.goto(`${server.url}/offers/channels`);
    await settle(page);
    await leapToContent(page);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Create channel");
  });

  it("opens a dialog, stays in it, and comes back to its button", async () => {
    await page.goto(`${server.url}/offers/channels`);
    await settle(page);
    await leapToContent(page);
    const create = page.getByRole("button", { name: "Create channel" }).first();
    await tabTo(page, create);
    await page.keyboard.press("Enter");
    const open = page.getByRole("dialog");
    await open.locator(":focus").waitFor();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      expect(await open.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press("Escape");
    await open.waitFor({ state: "hidden" });
    await hasFocus(page, create);
  });

  it("asks before a key is revoked, with the focus on the safe answer", async () => {
    await page.goto(server.url + channel());
    const actions = actionsFor(page, /^Actions for the key/).first();
    await actions.waitFor();
    await settle(page);
    await leapToContent(page);
    expect(await tabTo(page, actions)).toEqual({ isMarked: true });
    await page.keyboard.press("Enter");
    await hasFocus(page, page.getByRole("menuitem", { name: "Revoke" }));
    await page.keyboard.press("Escape");
    await hasFocus(page, actions);
    await page.keyboard.press("Enter");
    await hasFocus(page, page.getByRole("menuitem", { name: "Revoke" }));
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog");
    await hasFocus(page, question.getByRole("button", { name: "Cancel" }));
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "hidden" });
    await hasFocus(page, actions);
  });

  it("moves between the kinds of snippet with arrows", async () => {
    await page.goto(server.url + channel());
    const tab = page.getByRole("tab", { name: "HTML" });
    await tab.waitFor();
    await settle(page);
    await leapToContent(page);
    await tabTo(page, tab);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "JavaScript", selected: true }).waitFor();
    await page.getByText('svc("render"').waitFor();
  });
});
