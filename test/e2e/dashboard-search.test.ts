import { expect, it } from "vitest";
import { sharedBrowser } from "../factories/browser";
import { openForFile } from "../factories/open-for-file";
import { ownDemo } from "../factories/shared-server";
import { logIn, openPage } from "./dashboard-visit";
import { flawsOfState } from "./look";

const faults: string[] = [];

const server = await ownDemo();
const context = await openForFile((await sharedBrowser()).newContext({ locale: "en-US", reducedMotion: "reduce" }));
await logIn(context, server);
const page = await openPage(context, faults);

const dialog = () => page.getByRole("dialog", { name: "Go to" });
const field = () => dialog().getByRole("combobox");
const chosen = () => dialog().getByRole("option", { selected: true });

/** The page listens to keys only once it is hydrated. */
async function openPalette(key: string): Promise<void> {
  await expect
    .poll(async () => {
      if ((await dialog().count()) === 0) await page.keyboard.press(key);
      return dialog().count();
    })
    .toBe(1);
}

it.each([
  { key: "Control+k", words: "repo", label: /^Reports/, address: /\/offers\/reports/ },
  { key: "Meta+k", words: "demo site", label: /^Demo site/, address: /\/offers\/channels\/chn_/ },
  { key: "Control+k", words: "hearthwell", label: /^Hearthwell/, address: /\/offers\/campaigns\/cmp_/ },
  { key: "Control+k", words: "exponential backoff", label: /^Retries/, address: /\/docs\/errors#retries/ },
])("$key and $words leads to $label by keyboard alone", async ({ key, words, label, address }) => {
  await page.goto(`${server.url}/offers?mode=live`);
  await openPalette(key);
  await field().fill(words);
  await dialog().getByRole("option", { name: label }).first().waitFor();
  await expect.poll(() => chosen().textContent()).toMatch(label);
  await field().press("Enter");
  await page.waitForURL(address);
  await dialog().waitFor({ state: "detached" });
});

it("moves through pages with arrows, tells screen readers which one is chosen, and returns the focus", async () => {
  await page.goto(`${server.url}/offers`);
  await openPalette("Control+k");
  await expect.poll(() => chosen().textContent()).toBe("Overview");
  await field().press("ArrowDown");
  await expect.poll(() => chosen().textContent()).toBe("Channels");
  await expect
    .poll(async () => (await chosen().getAttribute("id")) === (await field().getAttribute("aria-activedescendant")))
    .toBe(true);
  await field().press("ArrowUp");
  await field().press("ArrowUp");
  await expect.poll(() => chosen().textContent()).not.toMatch(/^(Overview|Channels)$/);
  expect(await flawsOfState(page)).toEqual([]);
  await page.keyboard.press("Escape");
  const button = page.getByRole("button", { name: "Search" }).filter({ visible: true });
  await button.click();
  await field().fill("qqqq");
  await dialog().getByText("Nothing found for “qqqq”.").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
});

it("causes no errors in the browser", () => {
  expect(faults).toEqual([]);
});
