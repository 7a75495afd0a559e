import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { FIGURES, formatFigure } from "../../app/(dashboard)/offers/reports/report-figures";
import { BROWSER, LOOKS_FOR_MS, type ServedOffer } from "../factories/calls";
import { ownDemo } from "../factories/shared-server";
import { awayFromMidnight, waitFor } from "../factories/wait-for";
import { rowsOf, visitDashboard } from "./campaign-visit";

/** Events reach reports and plots within seconds; pages ask for them again by themselves. */
const REPORTED_WITHIN_MS = 60_000;
const QUERY = "zircon snorkel";
/** What a click of a campaign without a rival costs by default: the reserve price. */
const BID_MICROS = 50_000;
/** So much that a click is no reason for pacing to hold back the next one. */
const DAY_MICROS = 240_000_000_000;
const CLICKS = 2;

afterAll(() => visit?.context.close());

async function create(path: string, body: object): Promise<string> {
  const answer = await fetch(`${server.url}/v1/ads/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.demo.api.live_key}` },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function makeCampaign(): Promise<string> {
  const advertiser_id = await create("advertisers", { name: "Reef & Sons" });
  const budgets = { bid_micros: BID_MICROS, daily_budget_micros: DAY_MICROS, total_budget_micros: 10 * DAY_MICROS };
  const keywords = [{ text: QUERY, match: "broad" }];
  const id = await create("campaigns", {
    advertiser_id,
    name: "Snorkels",
    model: "cpc",
    keywords,
    ends_at: "2099-01-01T00:00:00Z",
    ...budgets,
  });
  const landing_url = `${server.url}/demo/landing/snorkel`;
  await create(`campaigns/${id}/creatives`, { title: QUERY, content: "Clear.", cta: "Dive in", landing_url });
  return id;
}

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${server.url}/api/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-api-key": server.demo.channel.server_key },
    body: JSON.stringify(body),
  });

const server = await ownDemo();
const [visit, campaignId] = await Promise.all([visitDashboard(server), makeCampaign()]);
const page = visit.page;
await awayFromMidnight(2 * REPORTED_WITHIN_MS);
await clickAnOffer();

/** One offer is served, seen, and clicked by a person. */
async function clickAnOffer(): Promise<void> {
  const offer = await waitFor(async () => {
    const answer = (await (await post("offers", { query: QUERY, limit: 1 })).json()) as { offers: ServedOffer[] };
    expect(answer.offers[0]?.title).toBe(QUERY);
    return answer.offers[0] as ServedOffer;
  });
  const servedAt = Date.now();
  await waitFor(() => expect(Date.now() - servedAt).toBeGreaterThan(LOOKS_FOR_MS));
  await post("impressions/batch", { ids: [offer.id] });
  await fetch(offer.clickUrl, { redirect: "manual", headers: { "user-agent": BROWSER } });
}

const address = () => new URL(page.url()).searchParams;
const total = () => page.getByRole("row", { name: /^Total/ });

describe("the budget of a campaign", () => {
  const budget = () => page.getByRole("region", { name: "Budget and pacing" });

  it("rises with a click while the page is there, against the plan of the day", async () => {
    await page.goto(`${server.url}/offers/campaigns/${campaignId}`);
    await expect
      .poll(() => budget().textContent(), { timeout: REPORTED_WITHIN_MS })
      .toMatch(/Today\$0\.05 of \$240,000\.00, 0%Total\$0\.05 of \$2,400,000\.00/);
    await clickAnOffer();
    await budget().getByText("$0.10", { exact: true }).first().waitFor({ timeout: REPORTED_WITHIN_MS });
    const plot = budget().getByRole("img", { name: /^Today's spend against its plan, cumulative/ });
    await expect.poll(() => plot.locator("path.recharts-area-curve").count()).toBe(2);
    await waitFor(async () => expect(await plottedMicros()).toBe(CLICKS * BID_MICROS), {
      timeout: REPORTED_WITHIN_MS,
      interval: 500,
    });
  });

  it("shows the whole run when asked, and again after a reload", async () => {
    await page.getByRole("button", { name: "Whole run" }).click();
    await budget()
      .getByRole("img", { name: /^The campaign's spend against its plan/ })
      .waitFor();
    expect(address().get("span")).toBe("period");
    await page.reload();
    await budget()
      .getByRole("img", { name: /^The campaign's spend against its plan/ })
      .waitFor();
    expect(await page.getByRole("button", { name: "Whole run" }).getAttribute("aria-pressed")).toBe("true");
  });
});

/** What the plot of today adds up to. */
async function plottedMicros(): Promise<number> {
  const input = encodeURIComponent(JSON.stringify({ id: campaignId }));
  const answer = await page.request.get(`${server.url}/api/trpc/getCampaignSpend?input=${input}`);
  const { slots } = (await answer.json()).result.data as { slots: { spend_micros: number }[] };
  return slots.reduce((sum, { spend_micros }) => sum + spend_micros, 0);
}

describe("a report", () => {
  it("counts the clicks without a reload, by campaign, and keeps its filters in the address", async () => {
    await page.goto(`${server.url}/offers/reports`);
    await page.getByLabel("Group by").selectOption("campaign");
    await page.getByLabel("Plot").selectOption("clicks");
    await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await page.getByRole("button", { name: "30 days" }).click();
    await waitFor(() =>
      expect(Object.fromEntries(address())).toMatchObject({
        group_by: "campaign",
        figure: "clicks",
        timezone: "Asia/Tokyo",
        from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      }),
    );
    await waitFor(async () => expect(await cellOf("Snorkels", "Clicks")).toBe(String(CLICKS)), {
      timeout: REPORTED_WITHIN_MS,
    });
    await page
      .getByRole("region", { name: "Clicks" })
      .getByRole("img", { name: /^Clicks by campaign/ })
      .waitFor();
  });

  it("survives a reload, and the way back from another page", async () => {
    const before = page.url();
    const expectSame = async () => {
      await total().waitFor();
      expect(page.url()).toBe(before);
      expect(await page.getByLabel("Group by").inputValue()).toBe("campaign");
      expect(await page.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
      expect(await page.getByRole("button", { name: "30 days" }).getAttribute("aria-pressed")).toBe("true");
    };
    await page.reload();
    await expectSame();
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Campaigns" }).click();
    await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
    await page.goBack();
    await expectSame();
  });

  it.each(["campaign", "traffic", "creative"])(
    "by %s is saved as CSV with the very figures of the table",
    async (group) => {
      await page.getByLabel("Group by").selectOption(group);
      await page.getByRole("table", { name: `Figures by ${group}` }).waitFor();
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      const download = await saving;
      expect(download.suggestedFilename()).toMatch(new RegExp(`^svc-${group}-.*\\.csv$`));
      const text = await readFile(await download.path(), "utf8");
      expect(text.startsWith("\uFEFF")).toBe(true);
      const [names = [], ...lines] = text
        .slice(1)
        .trimEnd()
        .split("\r\n")
        .map((line) => line.split(","));
      const written = lines.map((line) => {
        const row = Object.fromEntries(names.map((name, i) => [name, line[i] ?? ""]));
        return FIGURES.filter(({ isUsual }) => isUsual)
          .map(({ label, kind }) => {
            const text = row[label] ?? "";
            const value = Number(text) * (kind === "money" ? 1_000_000 : 1);
            return formatFigure(text === "" ? null : value, kind, row.Currency ?? "");
          })
          .join(" | ");
      });
      const shown = (await rowsOf(page, `Figures by ${group}`)).map(([name, ...figures]) => [
        name,
        figures.join(" | "),
      ]);
      expect(written.toSorted()).toEqual(
        shown
          .filter(([name]) => name !== "Total")
          .map(([, figures]) => figures)
          .toSorted(),
      );
      expect(written.length).toBeGreaterThan(0);
    },
  );

  it("is sorted, broken down, compared and limited by the address, which a reload keeps", async () => {
    await page.goto(`${server.url}/offers/reports?group_by=campaign`);
    await page.getByRole("button", { name: "Clicks", exact: true }).click();
    await waitFor(() => expect(address().get("sort")).toBe("-clicks"));
    const heading = page.getByRole("columnheader", { name: "Clicks", exact: true });
    await expect.poll(() => heading.getAttribute("aria-sort")).toBe("descending");
    await expect.poll(async () => (await rowsOf(page, "Figures by campaign"))[0]?.[0]).toBe("Snorkels");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Viewable" }).click();
    await page.keyboard.press("Escape");
    await page.getByLabel("Then by").selectOption("device");
    await page.getByLabel("Compare with the period before").check();
    await page.getByLabel("Campaign", { exact: true }).selectOption(campaignId);
    await page.reload();
    await page.getByRole("table", { name: "Figures by campaign, device" }).waitFor();
    await page.getByRole("columnheader", { name: "Viewable", exact: true }).waitFor();
    expect(await page.getByLabel("Compare with the period before").isChecked()).toBe(true);
    expect(Object.fromEntries(address())).toMatchObject({ campaign: campaignId, group_by: "campaign,device" });
    await waitFor(async () => {
      const names = (await rowsOf(page, "Figures by campaign, device")).map(([name]) => name);
      expect(names.length).toBeGreaterThan(1);
      expect(names.filter((name) => name !== "Total").every((name) => name?.startsWith("Snorkels"))).toBe(true);
    });
    await page.goto(`${server.url}/offers/reports?group_by=creative`);
  });

  it("says what the kinds of traffic mean, and names creatives by their titles", async () => {
    await page.getByRole("rowheader", { name: new RegExp(`^${QUERY}\\s*Snorkels$`) }).waitFor();
    await page.getByLabel("Group by").selectOption("traffic");
    await page.getByRole("region", { name: "Kinds of traffic" }).waitFor();
    await page.getByRole("rowheader", { name: "Valid" }).waitFor();
  });

  it("takes a day typed by keyboard, digit by digit", async () => {
    await page.getByLabel("From").focus();
    await page.keyboard.type("12312025");
    await waitFor(() => expect(address().get("from")).toBe("2025-12-31"));
    await total().waitFor();
    expect(await page.getByLabel("From").inputValue()).toBe("2025-12-31");
  });

  it("says what is wrong with an address that asks for too much", async () => {
    await page.goto(`${server.url}/offers/reports?from=2020-01-01&to=2026-01-01`);
    await page.getByRole("alert").filter({ hasText: "400 days" }).waitFor();
    await page.goto(`${server.url}/offers/reports?timezone=Mars/Olympus`);
    await page.getByRole("alert").filter({ hasText: "IANA" }).waitFor();
  });
});

/** What a row of the report shows under a heading. */
async function cellOf(name: string, heading: string): Promise<string | undefined> {
  const headings = (await page.getByRole("columnheader").allTextContents()).map((text) => text.trim());
  const rows = await rowsOf(page, "Figures by campaign");
  return rows.find(([first]) => first === name)?.[headings.indexOf(heading)];
}

describe("a link to an explanation", () => {
  it("opens with the question and its answer", async () => {
    // Of what no budget holds back.
    const question = "running shoes";
    await page.goto(`${server.url}/offers/explain`);
    await page.getByLabel("Query").fill(question);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByRole("table", { name: "Offered, best first" }).waitFor();
    expect(address().get("query")).toBe(question);
    await page.reload();
    await page.getByRole("table", { name: "Offered, best first" }).getByRole("row").nth(1).waitFor();
    expect(await page.getByLabel("Query").inputValue()).toBe(question);
  });
});

it("says no word of trouble to the browser on the way", () => expect(visit.faults).toEqual([]));
