import type { Dialog } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownDemo } from "../factories/shared-server";
import { visitDashboard } from "./campaign-visit";

const server = await ownDemo();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;

const question = () => page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
const answer = (name: "Keep editing" | "Discard changes") => question().getByRole("button", { name }).click();
const menuLink = (name: string) =>
  page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true });
const nameField = () => page.getByLabel("Name", { exact: true });
const saveBar = () => page.getByRole("button", { name: "Save changes" });
const demoCampaign = () => page.getByRole("table", { name: "Campaigns" }).getByRole("link").first();

/** The page of the first campaign of the list, with a tab open. */
async function openCampaign(tab: string): Promise<void> {
  await page.goto(`${server.url}/offers/campaigns`);
  await demoCampaign().click();
  await page.getByRole("tab", { name: tab }).click();
  await page.getByRole("tabpanel", { name: tab }).waitFor();
  await page.waitForURL(/[?&]tab=/);
}

describe("edits of a campaign", () => {
  let campaignUrl: string;
  let name: string;

  beforeEach(async () => {
    await openCampaign("Settings");
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

  it("are kept while another tab is open, and kept or discarded when the browser goes back from the page", async () => {
    const overviewUrl = campaignUrl.replace(/\?.*/, "");
    await page.evaluate(() => history.back());
    await page.getByRole("tab", { name: "Overview", selected: true }).waitFor();
    await page.getByRole("tab", { name: "Settings (unsaved changes)", exact: true }).waitFor();
    await page.evaluate(() => history.back());
    await answer("Keep editing");
    await question().waitFor({ state: "hidden" });
    expect([page.url(), await nameField().inputValue()]).toEqual([overviewUrl, `${name} edited`]);
    await page.getByRole("tab", { name: "Settings" }).click();
    await saveBar().waitFor();
    await page.getByRole("tab", { name: "Settings", exact: true }).waitFor();
    await page.evaluate(() => history.back());
    await page.getByRole("tab", { name: "Overview", selected: true }).waitFor();
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
    await saveBar().waitFor({ state: "detached" });
    await nameField().fill("x");
    await saveBar().waitFor();
    await nameField().fill(`${name} edited`);
    await saveBar().waitFor({ state: "detached" });
    await menuLink("Reports").click();
    await page.waitForURL(/\/offers\/reports/);
    expect(await question().count()).toBe(0);
  });

  it("are discarded by the bar after a question, pickers and added rows included, and the focus stays there", async () => {
    const countries = page.getByLabel("Countries (optional)", { exact: true });
    const picked = page.getByRole("list", { name: "Chosen countries" });
    const before = await picked.getByRole("listitem").allTextContents();
    await countries.pressSequentially("Iceland");
    await page.keyboard.press("Enter");
    await picked.getByText("Iceland").waitFor();
    await page.getByRole("button", { name: "Add a cap" }).click();
    await page.getByLabel("Views at most", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await answer("Keep editing");
    expect(await nameField().inputValue()).toBe(`${name} edited`);
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await answer("Discard changes");
    await saveBar().waitFor({ state: "detached" });
    await page.getByText("No unsaved changes.", { exact: true }).and(page.locator(":focus")).waitFor();
    expect(await nameField().inputValue()).toBe(name);
    expect(await picked.getByRole("listitem").allTextContents()).toEqual(before);
    expect(await page.getByLabel("Views at most", { exact: true }).count()).toBe(0);
  });

  it("that only change a picker or a row bring up the bar, which never hides what has the focus at 360 px", async () => {
    await nameField().fill(name);
    await saveBar().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add a cap" }).click();
    await saveBar().waitFor();
    await page.getByRole("button", { name: "Remove cap 1" }).click();
    await saveBar().waitFor({ state: "detached" });
    await page.getByLabel("Countries (optional)", { exact: true }).pressSequentially("Iceland");
    await page.keyboard.press("Enter");
    await saveBar().waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const hidden: string[] = [];
    for (const key of [...Array<string>(STOPS).fill("Tab"), ...Array<string>(STOPS).fill("Shift+Tab")]) {
      await page.keyboard.press(key);
      const stop = await page.evaluate(coveredFocus);
      if (stop) hidden.push(`${key}: ${stop}`);
    }
    expect(hidden).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

/** More than the settings have. */
const STOPS = 60;

/** What has the focus in the form and is covered by the save bar, at least where it is read and typed; "" otherwise. */
function coveredFocus(): string {
  const LINE_PX = 24;
  const focused = document.activeElement;
  const bar = document.querySelector("[data-save-bar]");
  if (!bar || !focused?.closest("form") || bar.contains(focused)) return "";
  const { top, height } = focused.getBoundingClientRect();
  const free = bar.getBoundingClientRect().top - top;
  return free < Math.min(LINE_PX, height) ? (focused.getAttribute("name") ?? focused.textContent ?? "?") : "";
}

it("a creative's input is asked about when its dialog closes", async () => {
  await openCampaign("Creatives");
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
