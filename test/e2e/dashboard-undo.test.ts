import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownDemo } from "../factories/shared-server";
import { tabTo, visitDashboard } from "./campaign-visit";
import { hasFocus, waitUntilStable } from "./dashboard-visit";
import { flawsWithMessages } from "./look";
import { chooseAction } from "./row-actions";

/** Far more than the 10 seconds for which something can be undone. */
const LONG_MS = 60_000;
const STEP_MS = 10;
const SHOWN_WITHIN_MS = 60_000;

const server = await ownDemo();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;
await page.clock.install();

const undo = () => page.getByRole("button", { name: "Undo" });
const toast = (text: string) => page.getByRole("region", { name: /^Messages/ }).getByText(text);

/** Stops the page's clock: from here on its timers move only by `runFor`, so that no toast ends before a slow test. */
async function stopClock(): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + LONG_MS);
}

/** Lets the time of the page pass in small steps until `count` of these are there. */
const untilCount = (target: Locator, count: number): Promise<void> =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(STEP_MS);
        return target.count();
      },
      { timeout: SHOWN_WITHIN_MS },
    )
    .toBe(count);

/** Resolves when the question has closed, which keeps the focus while it is open and returns it a task later. */
async function untilUndo(): Promise<void> {
  await untilCount(undo(), 1);
  await untilCount(page.getByRole("alertdialog"), 0);
  await page.clock.runFor(STEP_MS);
}

async function openCampaign(tab = ""): Promise<string> {
  await page.goto(`${server.url}/offers/campaigns`);
  const link = page.getByRole("table", { name: "Campaigns" }).getByRole("link").first();
  await link.waitFor();
  await page.goto(`${new URL((await link.getAttribute("href")) ?? "", server.url)}${tab}`);
  await waitUntilStable(page);
  return (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
}

/** The status by API, as other clients see it; undefined if it is not found. */
async function statusOf(id: string): Promise<string | undefined> {
  const answer = await fetch(`${server.url}/v1/ads/campaigns/${id}`, {
    headers: { authorization: `Bearer ${server.demo.api.live_key}` },
  });
  return answer.status === 404 ? undefined : ((await answer.json()) as { status: string }).status;
}

it("an archived campaign is active again when Undo is pressed, all by keyboard", async () => {
  const name = await openCampaign("?tab=settings");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await statusOf(id)).toBe("active");
  await page.getByRole("button", { name: "Archive campaign" }).focus();
  await page.keyboard.press("Enter");
  await hasFocus(page, page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }));
  await page.getByText("You can undo this for 10 seconds.").waitFor();
  await tabTo(page, "Archive campaign");
  await stopClock();
  await page.keyboard.press("Enter");
  await untilUndo();
  await page.keyboard.press("Alt+t");
  await hasFocus(page, undo());
  await page.clock.resume();
  // While the button has the focus its time does not pass.
  await page.waitForURL(/\/offers\/campaigns(\?|$)/);
  await waitUntilStable(page);
  const link = page.getByRole("table", { name: "Campaigns" }).getByRole("link", { name, exact: true });
  expect(await link.count()).toBe(0);
  expect(await statusOf(id)).toBeUndefined();
  expect(await toast("Data may be out of date").count()).toBe(0);
  expect(await flawsWithMessages(page)).toEqual([]);
  await hasFocus(page, undo());
  await page.keyboard.press("Enter");
  await toast("Campaign restored.").waitFor();
  await link.waitFor();
  await undo().waitFor({ state: "detached" });
  expect(await statusOf(id)).toBe("active");
  await page.goto(`${server.url}/offers/campaigns/${id}`);
  await page.getByRole("button", { name: `Pause ${name}` }).waitFor();
});

it("Undo is offered for 10 seconds, not counting those with the pointer or the focus at it", async () => {
  await openCampaign("?tab=creatives");
  const creatives = page.getByRole("region", { name: "Creatives" }).getByRole("article");
  await creatives.first().waitFor();
  const before = await creatives.count();
  await chooseAction(page.getByRole("region", { name: "Creatives" }), /^Actions for /, "Archive");
  await stopClock();
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive creative" }).click();
  await untilUndo();
  await undo().hover();
  await page.clock.runFor(LONG_MS);
  expect(await undo().count()).toBe(1);
  await page.mouse.move(0, 0);
  await undo().focus();
  await page.clock.runFor(LONG_MS);
  expect(await undo().count()).toBe(1);
  await undo().blur();
  await page.clock.runFor(8_000);
  expect(await undo().count()).toBe(1);
  await page.clock.runFor(2_000);
  await page.clock.resume();
  await undo().waitFor({ state: "detached" });
  await expect.poll(() => creatives.count()).toBe(before - 1);
});

it("a restored channel says that its keys stay revoked", async () => {
  await page.goto(`${server.url}/offers/channels`);
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Archived by mistake");
  await page.getByRole("button", { name: "Create live channel" }).click();
  await page.getByRole("heading", { name: "Archived by mistake", level: 1 }).waitFor();
  const url = page.url();
  await page.getByRole("button", { name: "New server key" }).click();
  await page.getByRole("dialog", { name: "Your server key" }).getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("button", { name: "Archive channel" }).click();
  await page.getByText("You can restore the channel for 10 seconds, but its keys stay revoked.").waitFor();
  await stopClock();
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive channel" }).click();
  await untilUndo();
  await undo().click();
  await page.clock.resume();
  await toast("Channel restored. Its keys stay revoked: create new ones.").waitFor();
  await page.getByRole("link", { name: "Archived by mistake" }).waitFor();
  await page.goto(url);
  await page.getByRole("table", { name: "Keys of this channel" }).getByText("revoked", { exact: true }).waitFor();
  expect(visit.faults).toEqual([]);
});
