import { beforeEach, describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownDemo } from "../factories/shared-server";
import { visitDashboard } from "./campaign-visit";

const QUERY = "running shoes";

const server = await ownDemo();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;

const offered = () => page.getByRole("table", { name: "Offered, best first" });
/** The group of losers whose reason begins so. */
const lostFor = (sentence: string) => page.locator("details").filter({ hasText: sentence });
const failureOf = (label: string) =>
  page.getByLabel(label).evaluate((field) => ({
    invalid: field.getAttribute("aria-invalid"),
    focused: field === document.activeElement,
    said: (field.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(" "),
  }));

describe("explaining an offers request", () => {
  beforeEach(async () => {
    await page.goto(`${server.url}/offers/explain`);
    await page.getByLabel("Channel").waitFor();
  });

  it("is a place in the dashboard's navigation", async () => {
    await page.goto(`${server.url}/offers`);
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Explain" }).click();
    await page.getByRole("heading", { name: "Explain", level: 1 }).waitFor();
    await page.getByLabel("Channel").waitFor();
  });

  it("shows the winners with place and price, and the losers with their reasons, and opens a reason by keyboard", async () => {
    await page.getByLabel("Channel").selectOption({ label: "Demo site" });
    await page.getByLabel("Country").selectOption({ label: "United States" });
    await page.getByLabel("Offers at most").fill("2");
    await page.getByLabel("Query").fill(QUERY);
    await page.keyboard.press("Enter");
    await offered().waitFor();
    expect(await page.getByRole("status").allTextContents()).toContainEqual(
      expect.stringMatching(/“running shoes”: 2 of 2 places filled, \d+ runners-up, \d+ left out\./),
    );
    const winners = offered().getByRole("row");
    expect(await winners.count()).toBe(3);
    expect(await winners.nth(1).textContent()).toMatch(
      /^1.*shoe.*Covers100%.*Relevance1\.00.*= Value\$.*Price\$.*for a click$/i,
    );
    const runnersUp = page.getByRole("table", { name: "Runners-up, best first" }).getByRole("row");
    expect(await runnersUp.count()).toBe(4);
    await page
      .getByRole("button", { name: /^Show all/ })
      .first()
      .click();
    await expect.poll(() => runnersUp.count()).toBeGreaterThan(4);
    await page.getByRole("button", { name: "Show the first 3" }).click();
    // Which reason is nearest to winning is the ranking's to say; that it stands open with what it held back is the page's.
    const nearest = page.locator("details").first();
    expect(await nearest.locator("summary").textContent()).toMatch(/\.\d+ left out$/);
    const held = await nearest.getByRole("row").or(nearest.getByRole("listitem")).allTextContents();
    expect(held.filter((text) => /Covers\d+%/.test(text)).length).toBeGreaterThan(0);
    const unmatched = lostFor("No item of the campaign has a word of the request.");
    expect(await unmatched.getByRole("listitem").count()).toBe(0);
    await unmatched.locator("summary").focus();
    await page.keyboard.press("Enter");
    await unmatched.getByRole("listitem").first().waitFor();
    const reading = page.getByRole("region", { name: "How the request was interpreted" });
    expect(await reading.textContent()).toMatch(/covers? at least \d+%.*the best match covers 100%\./i);
    await reading.getByRole("img", { name: /^Probability of fit: \d+%, \d+% needed$/ }).waitFor();
    const wanted = reading.getByRole("list", { name: "What is wanted" }).getByRole("listitem");
    expect(await wanted.allTextContents()).toEqual(["running", "shoes"]);
    const parts = reading.getByRole("table", { name: /^What the probability consists of/ }).getByRole("row");
    expect(await parts.nth(1).textContent()).toMatch(/^Start.*−\d\.\d\d$/);
    expect(await parts.filter({ hasText: "Coverage" }).textContent()).toMatch(/\+\d\.\d\d$/);
  });

  it("says of a query that is not likely enough to fit what speaks against it, and links to the strictness", async () => {
    await page.getByLabel("Query").fill("why do my runing shoes smell after a marathon");
    await page.getByRole("button", { name: "Explain" }).click();
    const reading = page.getByRole("region", { name: "How the request was interpreted" });
    await reading.getByText("It is not likely enough that an offer fits the query").waitFor();
    await reading.getByRole("listitem").filter({ hasText: "running (corrected from “runing”)" }).waitFor();
    const question = reading.getByRole("row").filter({ hasText: "Question" });
    expect(await question.textContent()).toMatch(/begins with a question word.*−\d\.\d\d$/);
    await lostFor("The request did not reach the threshold.").first().waitFor();
    await page
      .getByText(
        /^The probability that an offer fits this query is \d+%; the channel's strictness, balanced, needs \d+%\./,
      )
      .waitFor();
    await reading.getByRole("link", { name: "balanced" }).click();
    // The navigation has a link of the same name.
    await page.locator("a[href*='/offers/explain?channel_id=']").click();
    await page.waitForURL(/\/offers\/explain\?channel_id=chn_/);
  });

  it("has no probability to show if the page decided", async () => {
    await page.getByLabel("Context").fill("A test of running shoes for the next marathon");
    await page.getByRole("button", { name: "Explain" }).click();
    const reading = page.getByRole("region", { name: "How the request was interpreted" });
    await reading.getByText("Only a query has a probability.").waitFor();
    expect(await reading.getByRole("table").count()).toBe(0);
  });

  it.each([
    ["User id", "ada@reader.example", "Looks like an email address"],
    ["Offers at most", "9", "Enter a whole number from 1 to 8."],
    ["Query", "", "Enter what a visitor would search for"],
  ])("says beside %s what is wrong with %j, and moves there", async (label, text, sentence) => {
    await page.getByLabel("Query").fill(QUERY);
    await page.getByLabel(label).fill(text);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText(sentence).waitFor();
    const failure = await failureOf(label);
    expect(failure).toMatchObject({ invalid: "true", focused: true });
    expect(failure.said).toContain(sentence);
    expect(await offered().count()).toBe(0);
  });

  it("leaves no earlier result under a new error", async () => {
    await page.getByLabel("Query").fill(QUERY);
    await page.getByRole("button", { name: "Explain" }).click();
    await offered().waitFor();
    await page.getByLabel("Query").fill("");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("Enter what a visitor would search for").waitFor();
    await offered().waitFor({ state: "detached" });
  });

  it("explains a request on other publishers' channels, for who has none", async () => {
    await page.getByLabel("Channel").selectOption({ label: "Other publishers' channels" });
    await page.getByLabel("Query").fill(QUERY);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.waitForURL(/channel_id=network/);
    await page.getByText(/The default strictness of channels, balanced, needs \d+%/).waitFor();
  });

  it("says that nothing would be offered, and why, for what no campaign has a word of", async () => {
    await page.getByLabel("Query").fill("zygomorphic quasar");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("heading", { name: "Nothing would be offered" }).waitFor();
    expect(await page.getByRole("status").allTextContents()).toContainEqual(
      expect.stringMatching(/Nothing would be offered, 0 runners-up, \d+ left out\./),
    );
    await page.getByText("No item of the campaign has a word of the request.").waitFor();
  });

  it("takes words without meaning for what they are", async () => {
    await page.getByLabel("Query").fill("of the and");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("The request has no meaningful words.").waitFor();
  });

  it("tells that it is at work, and after a failure lets the same request be sent again", async () => {
    const calls = "**/api/trpc/explainOffers*";
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(calls, async (route) => {
      await released;
      await route.abort();
    });
    await page.getByLabel("Query").fill(QUERY);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("status").filter({ hasText: "Calculating the result" }).waitFor();
    expect(await page.getByRole("button", { name: "Explain" }).getAttribute("aria-busy")).toBe("true");
    release();
    await page.getByRole("alert").filter({ hasText: "The server could not be reached." }).waitFor();
    await page.unroute(calls);
    await page.getByRole("button", { name: "Explain" }).click();
    await offered().waitFor();
    await page.getByText("The server could not be reached.").waitFor({ state: "detached" });
  });

  it("says no word of trouble to the browser on the way", () => expect(visit.faults).toEqual([]));
});
