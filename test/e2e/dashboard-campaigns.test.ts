import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { ServedOffer } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { ownDemo } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";
import { fieldState, rowsOf, tabTo, visitDashboard } from "./campaign-visit";
import { feedOf, wordOf } from "./product-feed";
import { chooseAction } from "./row-actions";

const QUERY = "zircon snorkel";
const BROKEN = 'id,title,link\n1,Boot,https://a.example\n2,Shoe,\n3,"never ends';
const HOSTILE = '<img src=x onerror="document.title=1"> \u202Eevil';

let campaignUrl: string;

const server = await ownDemo();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;
// Each test goes on where the one before ended.
beforeEach(({ task, skip }) => {
  const before = task.file.tasks.flatMap((one) => ("tasks" in one ? one.tasks : [one]));
  if (before.some((one) => one.result?.state === "fail")) skip("a step before failed");
});

const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
/** Types each name into a picker and takes it by keyboard. */
async function pick(label: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    await page.getByLabel(`${label} (optional)`, { exact: true }).pressSequentially(name);
    await page.keyboard.press("Enter");
    await page
      .getByRole("list", { name: `Chosen ${label.toLowerCase()}` })
      .getByText(name)
      .waitFor();
  }
}
const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
/** A dialog moves the focus after it is shown; keys that are pressed before go elsewhere. */
const hasFocus = (locator: Locator) => locator.and(page.locator(":focus")).waitFor();
/** Opens the menu whose button has the focus, and chooses its last action. */
async function chooseLastByKey(action: string): Promise<void> {
  await page.keyboard.press("Enter");
  await hasFocus(page.getByRole("menuitem").first());
  await page.keyboard.press("End");
  await hasFocus(page.getByRole("menuitem", { name: action, exact: true }));
  await page.keyboard.press("Enter");
}
const region = (name: string) => page.getByRole("region", { name });

async function offersFor(query: string): Promise<ServedOffer[]> {
  const answer = await fetch(`${server.url}/api/v1/offers`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-api-key": server.demo.channel.server_key },
    body: JSON.stringify({ query, limit: 3, geo: "US", device: "desktop", user_id: "reader-1" }),
  });
  return ((await answer.json()) as { offers: ServedOffer[] }).offers;
}

describe("an advertiser, by keyboard alone", () => {
  it("is rejected at the wrong field, corrected and created, with the focus where it belongs", async () => {
    await page.goto(`${server.url}/offers/advertisers`);
    await region("Advertisers").waitFor();
    await tabTo(page, "Create advertiser");
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("dialog").getByLabel("Name"));
    await page.keyboard.type("Reef & Sons");
    await tabTo(page, "Domain (optional)");
    await page.keyboard.type("not a domain");
    await page.keyboard.press("Enter");
    await page.getByText("Expected a domain name such as example.com, without scheme or path.").waitFor();
    expect(await fieldState(page, "Domain (optional)")).toMatchObject({ invalid: "true", focused: true });
    expect(await page.getByLabel("Name").inputValue()).toBe("Reef & Sons");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("reef.example");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("row", { name: /Reef & Sons/ }).waitFor();
    await hasFocus(page.getByRole("button", { name: "Create advertiser" }));
  });

  it("is archived only after a question whose safe answer has the focus", async () => {
    await page.getByRole("button", { name: "Create advertiser" }).focus();
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("dialog").getByLabel("Name"));
    await page.keyboard.type("Short-lived");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("row", { name: /Short-lived/ }).waitFor();
    await hasFocus(page.getByRole("button", { name: "Create advertiser" }));
    await tabTo(page, "Actions for Short-lived");
    await chooseLastByKey("Archive");
    const question = page.getByRole("alertdialog", { name: "Archive Short-lived?" });
    await hasFocus(question.getByRole("button", { name: "Cancel" }));
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").waitFor({ state: "hidden" });
    await hasFocus(page.getByRole("button", { name: "Actions for Short-lived" }));
    expect(await page.getByRole("row", { name: /Short-lived/ }).count()).toBe(1);
    await chooseLastByKey("Archive");
    await hasFocus(question.getByRole("button", { name: "Cancel" }));
    await tabTo(page, "Archive advertiser");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /Short-lived/ }).waitFor({ state: "detached" });
    // The button of the row is gone: reading goes on with the content.
    await hasFocus(page.locator("#content"));
  });
});

describe("a new campaign, in three steps", () => {
  /** The one step that is marked as the current one. */
  const atStep = (title: string) =>
    page.getByRole("list", { name: "Steps" }).locator("[aria-current=step]", { hasText: title }).waitFor();
  /** Presses a button that does not go on, and looks for what is said at a field, which must have the focus. */
  async function refused(button: string, field: string, sentence: string): Promise<void> {
    await press(button);
    await page.getByText(sentence).first().waitFor();
    const state = await fieldState(page, field);
    expect([field, state.invalid, state.focused]).toEqual([field, "true", true]);
    expect(state.said).toContain(sentence);
  }
  const openMore = (about: string) => page.locator("summary", { hasText: about }).click();
  const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();

  it("checks what a step holds before it goes on, and Enter goes on", async () => {
    await page.goto(`${server.url}/offers/campaigns/new`);
    await atStep("What is advertised");
    await page.getByLabel("Advertiser", { exact: true }).selectOption({ label: "Reef & Sons" });
    await refused("Continue", "Name", "Fill in this field.");
    await fill("Name", "Snorkels");
    await page.keyboard.press("Enter");
    await atStep("Who sees it");
    await hasFocus(page.getByRole("group", { name: "Step 2 of 3: Who sees it" }));
    expect(await page.getByLabel("Name", { exact: true }).isVisible()).toBe(false);
    await fill("Broad (optional)", `${QUERY}\n${"x".repeat(81)}`);
    await fill("Negative (optional)", "used");
    await pick("Countries", "United States", "Germany");
    await fill("Countries (optional)", "Atlantis");
    await openMore("devices, placements");
    await page.getByLabel("desktop", { exact: true }).check();
    await page.getByLabel("mobile", { exact: true }).check();
    await refused("Continue", "Countries (optional)", "No country is called “Atlantis”. Choose one from the list.");
    await fill("Countries (optional)", "");
    await press("Remove Germany");
    await press("Continue");
    await atStep("Budget and bid");
    const review = region("Review");
    for (const text of ["Reef & Sons", "Snorkels", "United States", "2 broad, 1 negative", "desktop, mobile"])
      await review.getByText(text, { exact: true }).waitFor();
  });

  it("goes to the step and the field that the server refuses, and loses nothing that was typed", async () => {
    await openMore("pacing, schedule");
    await fill("Starts (optional)", "2026-01-01T00:00");
    await fill("Ends (optional)", "2025-01-01T00:00");
    await press("Add a cap");
    await fill("Views at most", "0");
    await fill("Bid", "half a dollar");
    await refused("Create live campaign", "Bid", "Enter an amount such as 1.25, with at most 6 decimals.");
    await fill("Bid", "0.50");
    await refused("Create live campaign", "Broad (optional)", "Entry 2: Expected at most 80 characters.");
    await atStep("Who sees it");
    // The server told of all of them at once.
    expect((await fieldState(page, "Views at most")).said).toContain("Enter 1 or more.");
    expect((await fieldState(page, "Negative (optional)")).invalid).toBe("false");
    await fill("Broad (optional)", QUERY);
    await press("Continue");
    await atStep("Budget and bid");
    expect(await value("Bid")).toBe("0.50");
    await fill("Views at most", "50");
    await refused("Create live campaign", "Ends (optional)", "Ends must be later than starts.");
    await fill("Ends (optional)", "2099-01-01T00:00");
    await fill("Daily budget (optional)", "0.10");
    await refused(
      "Create live campaign",
      "Daily budget (optional)",
      "Daily budget must be at least bid; otherwise it cannot pay for a single event.",
    );
    await fill("Daily budget (optional)", "24");
    await fill("Total budget (optional)", "240");
  });

  it("keeps everything on the way back, by its button, by a step, and by the browser", async () => {
    await press("Back");
    await atStep("Who sees it");
    expect([await value("Broad (optional)"), await value("Negative (optional)")]).toEqual([QUERY, "used"]);
    await press(/What is advertised.*done/);
    await atStep("What is advertised");
    await fill("Name", "Snorkels");
    await page.goBack();
    await atStep("Who sees it");
    await page.goBack();
    await atStep("Budget and bid");
    expect([await value("Bid"), await value("Views at most")]).toEqual(["0.50", "50"]);
  });

  it("asks before the input of any step is lost", async () => {
    await page.getByRole("link", { name: "Cancel" }).click();
    const question = page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "hidden" });
    await atStep("Budget and bid");
  });

  it("is created by its button alone, not by Enter in a field", async () => {
    await page.getByLabel("Total budget (optional)", { exact: true }).press("Enter");
    const create = page.getByRole("button", { name: "Create live campaign" });
    await hasFocus(create);
    await atStep("Budget and bid");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Snorkels", level: 1 }).waitFor();
    campaignUrl = page.url().replace(/[?#].*/, "");
    expect(campaignUrl).toMatch(/\/campaigns\/cmp_\w+$/);
  });
});

describe("the page of a campaign", () => {
  const selected = (name: string) => page.getByRole("tab", { name, selected: true }).waitFor();

  it("has tabs with addresses, which arrow keys and the browser's Back move between", async () => {
    await page.goto(campaignUrl);
    await selected("Overview");
    await region("The last 30 days").getByRole("button", { name: "Spend", pressed: true }).waitFor();
    await page.getByRole("tab", { name: "Overview" }).focus();
    await page.keyboard.press("ArrowRight");
    await selected("Creatives");
    await page.waitForURL(`${campaignUrl}?tab=creatives`);
    await page.getByRole("tabpanel", { name: "Creatives" }).waitFor();
    await page.keyboard.press("End");
    await selected("Settings");
    await page.waitForURL(`${campaignUrl}?tab=settings`);
    await page.goBack();
    await selected("Creatives");
    await page.goBack();
    await selected("Overview");
    expect(page.url()).toBe(campaignUrl);
    await page.goto(`${campaignUrl}?tab=products`);
    await selected("Products");
    await region("Product feed").waitFor();
  });

  it("plots the figure that is chosen, and keeps the choice in the address", async () => {
    await page.goto(campaignUrl);
    const figures = region("The last 30 days");
    await figures.getByRole("img", { name: /^Spend by day/ }).waitFor();
    await figures.getByRole("button", { name: "Impressions" }).click();
    await figures.getByRole("img", { name: /^Impressions by day/ }).waitFor();
    await page.waitForURL(/[?&]figure=impressions/);
    await page.reload();
    await figures.getByRole("img", { name: /^Impressions by day/ }).waitFor();
  });

  it("holds what was typed, all of it", async () => {
    await page.goto(`${campaignUrl}?tab=settings`);
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await region("Keywords").waitFor();
    expect(await value("Name")).toBe("Snorkels");
    expect(await value("Bid")).toBe("0.50");
    expect(await value("Daily budget (optional)")).toBe("24");
    expect(await value("Broad (optional)")).toBe(QUERY);
    expect(await value("Negative (optional)")).toBe("used");
    expect(await page.getByRole("list", { name: "Chosen countries" }).allTextContents()).toEqual(["United States"]);
    expect(await value("Ends (optional)")).toBe("2099-01-01T00:00");
    expect(await value("Views at most")).toBe("50");
    expect(await page.getByLabel("tablet", { exact: true }).isChecked()).toBe(false);
    expect(await page.getByLabel("mobile", { exact: true }).isChecked()).toBe(true);
  });

  it("pauses and resumes without losing what is being typed, and saves it", async () => {
    await fill("Name", "Snorkels for reefs");
    await press("Pause Snorkels");
    await page.getByRole("button", { name: "Resume Snorkels" }).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Snorkels for reefs");
    await press("Resume Snorkels");
    await page.getByRole("button", { name: "Pause Snorkels" }).waitFor();
    await press("Save changes");
    await page.getByRole("heading", { name: "Snorkels for reefs", level: 1 }).waitFor();
    // The bar disappears with the button that was pressed; the focus stays at its place.
    await hasFocus(page.getByText("No unsaved changes.", { exact: true }));
    await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
  });
});

describe("the list of campaigns", () => {
  const listed = () => page.getByRole("table", { name: "Campaigns" }).locator("tbody tr");

  it("finds a campaign by its name, and says that it has nothing to serve and what to do", async () => {
    await page.goto(`${server.url}/offers/campaigns`);
    await listed().nth(1).waitFor();
    await page.getByLabel("Status", { exact: true }).selectOption("draft");
    await page.getByRole("heading", { name: "No matching campaigns" }).waitFor();
    // Cleared before the search has begun, the field is empty too.
    await page.getByLabel("Name", { exact: true }).fill("nowhere");
    await press("Clear filters");
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
    await listed().nth(1).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("reefs");
    await page.waitForURL(/[?&]q=reefs/);
    await waitFor(async () => expect(await listed().count()).toBe(1));
    const row = await listed().textContent();
    for (const text of ["Snorkels for reefs", "not serving: no creative", "$24.00 a day", "$240.00 in total"])
      expect(row).toContain(text);
    await page.reload();
    await listed().first().waitFor();
    expect([await listed().count(), await page.getByLabel("Name", { exact: true }).inputValue()]).toEqual([1, "reefs"]);
    await listed().getByRole("link").click();
    await page.getByText("This campaign has nothing to serve.").waitFor();
    await page.getByRole("link", { name: "Add a creative" }).click();
    await page.waitForURL(/[?&]tab=creatives/);
    await region("Creatives").waitFor();
  });

  it("is sorted by a heading, whose order is in the address", async () => {
    await page.goto(`${server.url}/offers/campaigns`);
    const heading = page.getByRole("columnheader", { name: "Name" });
    await heading.getByRole("button").click();
    await page.waitForURL(/[?&]sort=name&order=asc/);
    const names = () => listed().locator("th a").allTextContents();
    const ordered = async (compare: (a: string, b: string) => number) => {
      const shown = await names();
      expect(shown.length).toBeGreaterThan(1);
      expect(shown).toEqual(shown.toSorted(compare));
    };
    await waitFor(() => ordered((a, b) => a.localeCompare(b, "en", { numeric: true })));
    expect(await heading.getAttribute("aria-sort")).toBe("ascending");
    await heading.getByRole("button").click();
    await page.waitForURL(/order=desc/);
    await waitFor(() => ordered((a, b) => b.localeCompare(a, "en", { numeric: true })));
    await page.goto(`${campaignUrl}?tab=creatives`);
    await region("Creatives").waitFor();
  });
});

describe("a creative", () => {
  const preview = () => page.frameLocator('iframe[title="Preview of the offer"]');

  it("is shown as the widget draws it while somebody types; markup in it is text", async () => {
    await press("Add creative");
    await fill("Title", HOSTILE);
    await fill("Content", "Clear under water.");
    await fill("Call to action", "Dive in");
    const card = preview().locator("[data-svc-offers] li");
    await card.getByText(HOSTILE).waitFor();
    expect(await card.textContent()).toContain("Sponsored");
    expect(await card.textContent()).toContain("Reef & Sons");
    expect(await card.locator("img").count()).toBe(0);
    for (const layout of ["list", "inline", "banner"]) {
      await page.getByLabel("Preview as").selectOption(layout);
      await preview().locator(`[data-layout=${layout}] li`).getByText(HOSTILE).waitFor();
    }
    expect(await page.title()).not.toBe("1");
  });

  it("is rejected at its landing page, then listed as plain text", async () => {
    await fill("Landing page", "javascript:alert(1)");
    await page.getByRole("dialog").getByRole("button", { name: "Add creative" }).click();
    await page.getByText("Expected an absolute http or https URL without credentials.").waitFor();
    expect(await fieldState(page, "Landing page")).toMatchObject({ invalid: "true", focused: true });
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe(HOSTILE);
    await fill("Title", `${QUERY} ${HOSTILE}`);
    await fill("Landing page", `${server.url}/demo/landing/snorkel`);
    await page.getByRole("dialog").getByRole("button", { name: "Add creative" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await region("Creatives").getByRole("heading", { name: HOSTILE }).waitFor();
    expect(await region("Creatives").locator("article img").count()).toBe(0);
  });

  it("is archived only when the question is answered with yes", async () => {
    await chooseAction(page, /^Actions for zircon/, "Archive");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "hidden" });
    expect(await region("Creatives").getByRole("article").count()).toBe(1);
  });
});

describe("a product feed", () => {
  const { csv, bad, lines } = feedOf(500);
  const file = (text: string) => ({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

  it("needs a file, and keeps one that the server could not read", async () => {
    await page.getByRole("tab", { name: "Products" }).click();
    await press("Upload feed");
    await page.getByText("Choose a file.", { exact: true }).waitFor();
    expect(await fieldState(page, "Feed file")).toMatchObject({ invalid: "true", focused: true });
    await page.getByLabel("Feed file").setInputFiles(file(BROKEN));
    await press("Upload feed");
    await page
      .getByText(/^Line 4: A quoted value after line 3 is not closed\. Products stored before the error: 1\.$/)
      .waitFor();
    // The product before the error is listed without a reload.
    await region("Product feed").getByRole("row", { name: /Boot/ }).waitFor();
    const kept = await page.getByLabel("Feed file").evaluate((input) => (input as HTMLInputElement).files?.[0]?.name);
    expect(kept).toBe("products.csv");
  });

  it("lists the lines that were rejected before a feed broke, to be saved as CSV", async () => {
    const report = region("Feed result");
    expect(await report.textContent()).toContain("1 product imported, 1 rejected. The rest of the file was not read.");
    expect(await rowsOf(page, "Rejected lines")).toEqual([
      ["3", "2", "link", "Expected a value."],
      ["4", "–", "whole line", expect.stringContaining("is not closed")],
    ]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      report.getByRole("button", { name: "Download rejected lines (CSV)" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("rejected-lines.csv");
    const saved = readFileSync(await download.path(), "utf8").split("\r\n");
    expect(saved.slice(0, 2)).toEqual(["\uFEFFline,id,field,error", "3,2,link,Expected a value."]);
  });

  it("leaves no result of an earlier upload under a new error", async () => {
    await page.getByLabel("Feed file").setInputFiles([]);
    await press("Upload feed");
    await page.getByText("Choose a file.", { exact: true }).waitFor();
    await region("Feed result").waitFor({ state: "detached" });
  });

  it("shows how far it is, then names each bad line, its field and what is wrong", async () => {
    const browserTab = await visit.context.newCDPSession(page);
    await browserTab.send("Network.enable");
    const line = { offline: false, latency: 0, downloadThroughput: -1 };
    await browserTab.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: csv.length / 30 });
    await page.getByLabel("Feed file").setInputFiles(file(csv));
    await press("Upload feed");
    await page.getByRole("progressbar", { name: "Upload progress" }).waitFor();
    await page.getByText(/^[1-9]\d?(\.\d+)?% uploaded/).waitFor();
    await hasFocus(page.getByRole("button", { name: "Stop" }));
    await browserTab.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: -1 });
    const report = region("Feed result");
    await report.waitFor({ timeout: 60_000 });
    await waitFor(async () => expect((await offersFor(`${wordOf(499)} lantern`))[0]?.title).toContain(wordOf(499)));
    await hasFocus(report);
    expect(await report.textContent()).toContain(`${lines - bad.length} products imported, ${bad.length} rejected`);
    expect(await rowsOf(page, "Rejected lines")).toEqual(bad);
    await region("Product feed")
      .getByText(`${lines - bad.length + 1} products in the feed`)
      .waitFor();
  });

  it("serves no bad line, and asks before it replaces everything", async () => {
    expect((await offersFor(`${wordOf(100)} lantern`)).map(({ title }) => title)).not.toContainEqual(
      expect.stringContaining(wordOf(100)),
    );
    await page.getByLabel("Replace the whole feed").check();
    await page
      .getByLabel("Feed file")
      .setInputFiles(file(`id,title,link,gtin\n1,${wordOf(1)} lantern,https://a.example,SKU-1`));
    await press("Upload feed");
    await page.getByRole("alertdialog").getByRole("button", { name: "Replace feed" }).click();
    await page.getByText("1 product imported.").waitFor();
    expect(await rowsOf(page, "Warnings")).toEqual([["2", "1", "gtin", expect.stringMatching(/^Expected 8, /)]]);
    await page.getByText("1 product in the feed").waitFor();
    expect(await page.getByLabel("Replace the whole feed").isChecked()).toBe(false);
  });

  it("is taken from nobody who is not logged in, and from no other site", async () => {
    const upload = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/trpc/importProducts`, {
        method: "POST",
        headers: {
          "content-type": "application/octet-stream",
          "x-svc-campaign": campaignUrl.split("/").pop() ?? "",
          ...headers,
        },
        body: "id,title,link",
      });
    const [session] = (await visit.context.cookies()).filter(({ name }) => name !== "svc_mode");
    const cookie = `${session?.name}=${session?.value}`;
    expect((await upload({ origin: server.url })).status).toBe(401);
    expect((await upload({ cookie, origin: "https://evil.example" })).status).toBe(403);
    expect((await upload({ cookie, origin: server.url, "x-svc-campaign": "cmp_of_somebody_else" })).status).toBe(404);
  });
});

it("says no word of trouble to the browser on the way", () => expect(visit.faults).toEqual([]));
