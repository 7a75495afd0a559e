import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedBrowser } from "../factories/browser";
import { ownDemo } from "../factories/shared-server";
import { hasFocus, leapToContent, logIn, openPage, tabTo, waitUntilStable } from "./dashboard-visit";
import { actionsFor } from "./row-actions";

const server = await ownDemo();

const channel = () => `/offers/channels/${server.demo.channel.id}`;

describe("by keyboard alone", () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await (await sharedBrowser()).newContext({ locale: "en-US", reducedMotion: "reduce" });
    await logIn(context, server);
    page = await openPage(context, []);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  afterAll(() => context?.close());

  it("leaps over the navigation", async () => {
    await page.goto(`${server.url}/offers/channels`);
    await waitUntilStable(page);
    await leapToContent(page);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Create channel");
  });

  it("opens a dialog, stays in it, and comes back to its button", async () => {
    await page.goto(`${server.url}/offers/channels`);
    await waitUntilStable(page);
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
    await waitUntilStable(page);
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
    await waitUntilStable(page);
    await leapToContent(page);
    await tabTo(page, tab);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "JavaScript", selected: true }).waitFor();
    await page.getByText('svc("render"').waitFor();
  });
});
