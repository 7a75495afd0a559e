import type { Browser, Dialog, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../factories/browser";
import { type ServerProcess, startServerProcess } from "../factories/server-process";
import { type DashboardVisit, visitDashboard } from "./campaign-visit";

let server: ServerProcess;
let browser: Browser;
let visit: DashboardVisit;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerProcess(), launchBrowser()]);
  visit = await visitDashboard(browser, server);
  page = visit.page;
}, 180_000);
afterAll(async () => {
  await visit?.context.close();
  await browser?.close();
  await server?.stop();
});

const question = () => page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
const answer = (name: "Keep editing" | "Discard changes") => question().getByRole("button", { name }).click();
const menuLink = (name: string) =>
  page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true });
const nameField = () => page.getByLabel("Name", { exact: true });
const demoCampaign = () => page.getByRole("table", { name: "Campaigns" }).getByRole("link").first();

describe("edits of a campaign", () => {
  let campaignUrl: string;
  let name: string;

  beforeEach(async () => {
    await page.goto(`${server.url}/offers/campaigns`);
    await demoCampaign().click();
    // The list has a field of the same name.
    await page.getByRole("button", { name: "Save changes" }).waitFor();
    campaignUrl = page.url();
    name = await nameField().inputValue();
    await nameField().fill(`${name} edited`);
  });

  it("are kept or discarded when a link is followed", async () => {
    await menuLink("Reports").click();
    await answer("Keep editing");
    await question().waitFor({ state: "hidden" });
    expect([page.url(), await nameField().inputValue()]).toEqual([campaignUrl, `${name} edited`]);
    await menuLink("Reports").click();
    await answer("Discard changes");
    await page.waitForURL(/\/offers\/reports/);
  });

  it("are kept or discarded when the browser goes back", async () => {
    await page.evaluate(() => history.back());
    await answer("Keep editing");
    await question().waitFor({ state: "hidden" });
    expect([page.url(), await nameField().inputValue()]).toEqual([campaignUrl, `${name} edited`]);
    await page.evaluate(() => history.back());
    await answer("Discard changes");
    await demoCampaign().waitFor();
    expect(new URL(page.url()).pathname).toBe("/offers/campaigns");
  });

  it("are kept when a reload is called off", async () => {
    const asked = new Promise<Dialog>((resolve) => page.once("dialog", resolve));
    const reload = page.evaluate(() => location.reload());
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await reload;
    expect(await nameField().inputValue()).toBe(`${name} edited`);
    await menuLink("Reports").click();
    await answer("Discard changes");
    await page.waitForURL(/\/offers\/reports/);
  });

  it("that are saved or taken back are left without a question", async () => {
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { name: `${name} edited`, level: 1 }).waitFor();
    await nameField().fill("x");
    await nameField().fill(`${name} edited`);
    await menuLink("Reports").click();
    await page.waitForURL(/\/offers\/reports/);
    expect(await question().count()).toBe(0);
  });
});

it("a creative's input is asked about when its dialog closes", async () => {
  await page.goto(`${server.url}/offers/campaigns`);
  await demoCampaign().click();
  await page.getByRole("button", { name: "Add creative" }).click();
  const dialog = page.getByRole("dialog", { name: "Add creative" });
  await dialog.getByLabel("Title", { exact: true }).fill("Lantern");
  await page.keyboard.press("Escape");
  await answer("Keep editing");
  expect(await dialog.getByLabel("Title", { exact: true }).inputValue()).toBe("Lantern");
  await dialog.getByRole("button", { name: "Close" }).click();
  await answer("Discard changes");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Add creative" }).click();
  await dialog.locator(":focus").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await question().count()).toBe(0);
});

it("a channel's settings are asked about, and not after they were saved", async () => {
  await page.goto(`${server.url}/offers/channels`);
  await page.getByRole("link", { name: "Demo site" }).click();
  await page.getByLabel("Categories (optional)", { exact: true }).fill("Electronics");
  await menuLink("Reports").click();
  await answer("Keep editing");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Channel saved.").waitFor();
  await menuLink("Reports").click();
  await page.waitForURL(/\/offers\/reports/);
  expect(visit.faults).toEqual([]);
});
