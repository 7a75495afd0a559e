import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sharedBrowser } from "../factories/browser";
import { ownTenant } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";
import { isMarked, logIn, logInByForm, mark, openPage, post, region, reportSeen, serveOffers } from "./dashboard-visit";
import { type Site, startSite } from "./offers-stub";
import { chooseAction } from "./row-actions";

/** Events reach reports within seconds, and the pages look again every 3 to 15. */
const SHOWN_WITHIN_MS = 60_000;
/** Addresses that no other file or earlier run of this one has used. */
const addressOf = (name: string) => `${name}-${randomUUID()}@publisher.example`;
const [ADA, MIA, GUESSED, GRACE, MALLORY] = ["ada", "mia", "guessed", "grace", "mallory"].map(addressOf) as [
  ...[string, string, string, string, string],
];
const KEY = /svc_(pub|srv)_[a-z2-7]{48}/;

const [server, browser] = await Promise.all([ownTenant(), sharedBrowser()]);

const step = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title });

/** Each test goes on where the one before ended. */
function inOrder(): void {
  beforeEach(({ task, skip }) => {
    const before = task.suite?.tasks ?? [];
    if (before.some((one) => one.result?.state === "fail")) skip("the step before failed");
  });
}

describe("a new publisher, from sign-up to the first impression", () => {
  inOrder();
  let site: Site;
  let siteOrigin: string;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    site = await startSite();
    siteOrigin = site.origin.replace("127.0.0.1", "localhost");
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    page = await openPage(context, faults);
  });
  afterAll(async () => {
    await context?.close();
    await site?.close();
  });

  it("signs up, and is led on from an overview that is not empty", async () => {
    await page.goto(`${server.url}/sign-up`);
    await page.getByLabel("Email address").fill(ADA);
    await page.getByLabel("Company or site").fill("Trail Notes");
    await page.getByLabel("Password").fill("five quiet otters swim");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(`${server.url}/offers`);
    const steps = region(page, "Show your first offer");
    await steps.getByText("Create a channel, to do").waitFor();
    await region(page, "Needs attention")
      .getByText("All clear: no campaign or channel needs your attention.")
      .waitFor();
  });

  it("says what comes first on every page that has nothing to show yet", async () => {
    const empties: [string, string][] = [
      ["/offers/channels", "No channels in test mode yet"],
      ["/account/api-keys", "No keys in test mode yet"],
      ["/offers/conversions", "Create an advertiser first"],
    ];
    for (const [at, title] of empties) {
      await page.goto(server.url + at);
      await page.getByRole("heading", { name: title }).waitFor();
    }
  });

  it("verifies the address by the email in the outbox", async () => {
    await page.goto(`${server.url}/account/outbox`);
    await page.getByRole("link", { name: /\/verify-email/ }).click();
    await page.waitForURL(/\/verify-email/);
    await page.getByRole("button", { name: "Verify email address" }).click();
    await page.getByText(`${ADA} is verified.`).waitFor();
    await page.goto(`${server.url}/account/settings`);
    await region(page, "Account").getByText("verified", { exact: true }).waitFor();
  });

  it("creates a channel from the first step, and sees there what is still to do", async () => {
    await page.goto(`${server.url}/offers`);
    await region(page, "Show your first offer").getByRole("link", { name: "Channels" }).click();
    await page.getByRole("button", { name: "Create channel" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Trail Notes");
    await dialog.getByLabel("Origins").fill(siteOrigin);
    await dialog.getByRole("button", { name: "Create test channel" }).click();
    await page.getByRole("heading", { name: "Trail Notes", level: 1 }).waitFor();
    await region(page, "Get it live").getByText("Create a key, to do").waitFor();
  });

  let snippet: string;

  it("copies the snippet with a key that the snippet itself offers to create", async () => {
    const snippets = region(page, "Show offers");
    await snippets.getByRole("heading", { name: "Create a browser key first" }).waitFor();
    await snippets.getByRole("button", { name: "New browser key" }).click();
    const html = snippets.getByRole("figure").filter({ hasText: "HTML, with a browser key" });
    // It says so for two seconds.
    await Promise.all([html.getByText("Copied").waitFor(), html.getByRole("button", { name: "Copy" }).click()]);
    snippet = await page.evaluate(() => navigator.clipboard.readText());
    expect(snippet).toMatch(KEY);
    const steps = region(page, "Get it live");
    await steps.getByText("Create a key, done").waitFor();
    await steps.getByText("Waiting for the first request.").waitFor();
  });

  it("watches the first request and the first impression of its page arrive, without a reload", async () => {
    await mark(page);
    site.pages.set("/", { html: publisherPage(snippet) });
    const reader = await openPage(context, faults);
    const reported = reader.waitForResponse((answer) => answer.url().endsWith("/impressions/batch"));
    await reader.goto(`${siteOrigin}/`);
    await reader.getByText("Sponsored", { exact: true }).first().waitFor();
    expect((await reported).status()).toBe(204);
    await page.bringToFront();
    const steps = region(page, "Get it live");
    await steps.getByText("First request received").waitFor({ timeout: SHOWN_WITHIN_MS });
    await steps.getByText("First impression recorded.").waitFor({ timeout: SHOWN_WITHIN_MS });
    await steps.getByText("Trail Notes is live.").waitFor();
    for (const title of ["Paste the snippet", "See an offer"])
      expect(await step(page, title).textContent()).toContain(", done");
    expect(await isMarked(page)).toBe(true);
    await reader.close();
  });

  it("needs no guide any more, on the overview and on the channel's page", async () => {
    await page.goto(`${server.url}/offers`);
    const figures = region(page, "Today's figures");
    await figures.getByText("Impressions").waitFor();
    for (const guide of ["Show your first offer", "Advertise your first product"])
      await region(page, guide).waitFor({ state: "detached" });
    await page.goto(`${server.url}/offers/channels`);
    const row = page.getByRole("row", { name: /Trail Notes/ });
    await waitFor(async () => expect(await row.getByRole("cell").allTextContents()).toContain("1"), {
      timeout: SHOWN_WITHIN_MS,
    });
    await row.getByRole("link").click();
    await region(page, "The last 30 days").waitFor();
    await region(page, "Get it live").waitFor({ state: "detached" });
  });

  it("says no word of trouble to any browser on the way", () => expect(faults).toEqual([]));

  it("says that test offers earn nothing, and what their clicks would earn", async () => {
    await page.goto(`${server.url}/offers`);
    await region(page, "Channel earnings").getByText("Simulated earnings in the last 30 days: $0.00.").waitFor();
    await page.getByText("at 0.035 USD each").waitFor();
    await page.goto(`${server.url}/offers/reports?mode=test&group_by=campaign`);
    await page.getByRole("rowheader", { name: "House offers" }).waitFor();
  });

  it("leads from the orders of live mode to those of test mode, where a test order is", async () => {
    await page.goto(`${server.url}/offers/advertisers?mode=live`);
    await page.getByRole("button", { name: "Create advertiser" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Trail Shop");
    await dialog.getByLabel("Domain").fill("shop.example");
    await dialog.getByRole("button", { name: /^Create/ }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.goto(`${server.url}/offers/conversions?mode=live`);
    const form = region(page, "Send a test order");
    await form.getByLabel("Order ID").fill("FIRST-1");
    await form.getByRole("button", { name: "Send test order" }).click();
    await form.getByText(/^Order received/).waitFor();
    await region(page, "Orders").getByRole("link", { name: "view them in test mode" }).click();
    await page.getByRole("row", { name: /FIRST-1/ }).waitFor();
  });
});

const publisherPage = (snippet: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<link rel="icon" href="data:,"><title>Noise cancelling headphones for long flights</title></head><body><h1>Headphones, tested</h1>
${snippet}</body></html>`;

describe("a new advertiser without a channel, from sign-up to the first impression", () => {
  inOrder();
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];
  const steps = () => region(page, "Advertise your first product");

  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    page = await openPage(context, faults);
  });
  afterAll(() => context?.close());

  it("finds both ways to begin, and only the advertiser's once it has begun", async () => {
    await page.goto(`${server.url}/sign-up`);
    await page.getByLabel("Email address").fill(MIA);
    await page.getByLabel("Company or site").fill("Reef & Sons");
    await page.getByLabel("Password").fill("five quiet otters swim");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(`${server.url}/offers`);
    await region(page, "Show your first offer").getByText("Create a channel, to do").waitFor();
    await steps().getByText("Create an advertiser, to do").waitFor();
    await steps().getByRole("link", { name: "Advertisers" }).click();
    await page.getByRole("button", { name: "Create advertiser" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Reef & Sons");
    await page.getByRole("dialog").getByRole("button", { name: "Create advertiser" }).click();
    await page.getByRole("row", { name: /Reef & Sons/ }).waitFor();
    await page.goto(`${server.url}/offers`);
    await steps().getByText("Create an advertiser, done").waitFor();
    expect(await region(page, "Show your first offer").count()).toBe(0);
  });

  it("creates a campaign for the channels of others", async () => {
    await steps().getByRole("link", { name: "New campaign" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Snorkels");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Channels of other publishers too").check();
    await page.getByLabel("Broad (optional)", { exact: true }).fill("zircon snorkel");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Bid", { exact: true }).fill("0.50");
    await page.getByRole("button", { name: "Create test campaign" }).click();
    await page.getByRole("heading", { name: "Snorkels", level: 1 }).waitFor();
    await page.goto(`${server.url}/offers`);
    await steps().getByText("Create a campaign, done").waitFor();
  });

  it("adds a creative, and learns what still keeps it from serving", async () => {
    await steps().getByRole("link", { name: "Open Snorkels" }).click();
    await page.getByRole("tab", { name: "Creatives", selected: true }).waitFor();
    await page.getByRole("button", { name: "Add creative" }).click();
    const dialog = page.getByRole("dialog", { name: "Add creative" });
    await dialog.getByLabel("Title", { exact: true }).fill("Zircon snorkel");
    await dialog.getByLabel("Content", { exact: true }).fill("Clear under water.");
    await dialog.getByLabel("Call to action", { exact: true }).fill("Dive in");
    await dialog.getByLabel("Landing page", { exact: true }).fill("https://shop.example/snorkel");
    await dialog.getByRole("button", { name: "Add creative" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.goto(`${server.url}/offers`);
    await steps().getByText("Add a creative, done").waitFor();
    await steps().getByText("An owner of this account must verify their email address").waitFor();
    expect(await step(page, "Ready to serve").textContent()).toContain(", to do");
  });

  it("is ready to serve once the address is verified", async () => {
    await page.goto(`${server.url}/account/outbox`);
    await page.getByRole("link", { name: /\/verify-email/ }).click();
    await page.waitForURL(/\/verify-email/);
    await page.getByRole("button", { name: "Verify email address" }).click();
    await page.getByText(`${MIA} is verified.`).waitFor();
    await page.goto(`${server.url}/offers`);
    await steps().getByText("Ready to serve, done").waitFor();
    await steps().getByText("Waiting for a search that the campaign matches.").waitFor();
  });

  it("needs no guide any more after an impression on a channel of somebody else, without a reload", async () => {
    await mark(page);
    const key = await keyOfOtherChannel();
    const offers = await vi.waitFor(
      async () => {
        const found = await serveOffers(server.url, key, { query: "zircon snorkel", limit: 1 });
        expect(found).toMatchObject([{ title: "Zircon snorkel" }]);
        return found;
      },
      { timeout: SHOWN_WITHIN_MS, interval: 500 },
    );
    await reportSeen(server.url, key, offers);
    await steps().waitFor({ state: "detached", timeout: SHOWN_WITHIN_MS });
    await region(page, "Today's figures").waitFor();
    expect(await region(page, "Show your first offer").count()).toBe(0);
    expect(await isMarked(page)).toBe(true);
    expect(faults).toEqual([]);
  });

  /** A server key for a test channel of another tenant. */
  async function keyOfOtherChannel(): Promise<string> {
    const headers = { authorization: `Bearer ${server.demo.api.test_key}` };
    const channels = `${server.url}/v1/ads/channels`;
    const channel = await post(channels, headers, { name: "Another site" });
    expect(channel.status).toBe(201);
    const { id } = (await channel.json()) as { id: string };
    const answer = await post(`${channels}/${id}/keys`, headers, { kind: "server" });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { key: string }).key;
  }
});

describe("who is logged out", () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await browser.newContext({ locale: "en-US" });
    page = await openPage(context, []);
  });
  afterAll(() => context?.close());

  /** The page is left first: its next call would be refused, and it would go to the log-in by itself. */
  async function logOut(): Promise<void> {
    await page.goto("about:blank");
    await context.clearCookies();
  }

  it("reads no mail in the outbox, and learns the operator's command for a new password", async () => {
    await page.goto(`${server.url}/account/outbox`);
    await page.waitForURL(`${server.url}/log-in?next=%2Faccount%2Foutbox`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByText("npm run svc -- admin reset-password").waitFor();
    const { status } = await fetch(`${server.url}/api/trpc/listOutbox`);
    expect(status).toBe(401);
  });

  it.each(["/.//evil.test/x", "//evil.test/x", "/\\\\evil.test/x", "/..//evil.test/x"])(
    "stays on this origin after logging in with next=%s",
    async (next) => {
      await logOut();
      await page.goto(`${server.url}/log-in?next=${encodeURIComponent(next)}`);
      await page.getByLabel("Email address").fill(server.demo.dashboard.email);
      await page.getByLabel("Password").fill(server.demo.dashboard.password);
      await page.getByRole("button", { name: "Log in" }).click();
      await page.waitForURL((url) => url.pathname !== "/log-in");
      expect(page.url()).toBe(`${server.url}/offers`);
    },
  );

  it("is asked for a code after 20 wrong passwords, and gets in by the operator's", async () => {
    await logOut();
    await page.goto(`${server.url}/sign-up`);
    const email = GUESSED;
    const password = "five quiet otters swim";
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(`${server.url}/offers`);
    const guess = () =>
      fetch(`${server.url}/v1/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password: "a wrong password" }),
      });
    // The limit gives an attempt back each 30 s: it has just been used up when the next one is that far away.
    const guessUntilLimited = () =>
      vi.waitUntil(async () => Number((await guess()).headers.get("retry-after")) > 20, {
        timeout: 60_000,
        interval: 0,
      });
    await guessUntilLimited();
    // The owner's own browser is known.
    // From a page that asks for nothing: one of the dashboard would go to the log-in by itself.
    await page.goto(`${server.url}/docs/limits`);
    const loggedOut = await page.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      return (await fetch("/api/trpc/endBrowserSession", { method: "POST", headers, body: "{}" })).status;
    });
    expect(loggedOut).toBe(200);
    await page.goto(`${server.url}/account/settings`);
    await page.waitForURL(/\/log-in\?/);
    await logInByForm(page, { url: server.url, demo: { dashboard: { email, password } } });
    // A fresh one is not.
    await logOut();
    await page.goto(`${server.url}/log-in`);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill(password);
    await guessUntilLimited();
    await page.getByRole("button", { name: "Log in" }).click();
    // A code that svc mails replaces the one of before.
    await page.getByLabel("Login code").waitFor();
    await page.getByLabel("Login code").fill(await operatorsCode(email));
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${server.url}/offers`);
  });
});

/** What an operator types beside the running server. */
async function operatorsCode(email: string): Promise<string> {
  const program = path.resolve(import.meta.dirname, "../../.build/server/cli.mjs");
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, SVC_DATA_DIR: server.dataDir, PORT: `${server.port}` };
  const argv = [program, "svc", "admin", "log-in-code", email, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env: { ...env, NODE_ENV: "production" } });
  return (JSON.parse(stdout) as { code: string }).code;
}

describe("a team", () => {
  inOrder();
  let here: BrowserContext;
  let there: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const options = { viewport: { width: 1280, height: 900 }, locale: "en-US" };
    [here, there] = [await browser.newContext(options), await browser.newContext(options)];
    await logIn(here, server);
    page = await openPage(here, []);
  });
  afterAll(async () => {
    await here?.close();
    await there?.close();
  });

  it("invites by an email, which opens an account in the team", async () => {
    await invite(GRACE);
    const guest = await openPage(there, []);
    await guest.goto(await invitationOf(GRACE));
    await guest.getByLabel("Password").fill("seven brown foxes rest");
    await guest.getByRole("button", { name: "Create account" }).click();
    await guest.waitForURL(`${server.url}/offers`);
    await page.reload();
    await region(page, "Team").getByRole("rowheader", { name: GRACE }).waitFor();
    await guest.close();
  });

  it("revokes an invitation after a question, and its link stops working", async () => {
    await invite(MALLORY);
    const guest = await openPage(there, []);
    const link = await invitationOf(MALLORY);
    await chooseAction(page, `the invitation for ${MALLORY}`, "Revoke");
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke invitation" }).click();
    await page.getByRole("rowheader", { name: MALLORY }).waitFor({ state: "detached" });
    await guest.goto(link);
    await guest.getByRole("alert").filter({ hasText: "invitation" }).waitFor();
    await guest.close();
  });

  it("removes a member after a question, and the member's page leads to the log-in", async () => {
    const guest = await openPage(there, []);
    await guest.goto(`${server.url}/offers/channels`);
    await guest.getByRole("heading", { name: "Channels", level: 1 }).waitFor();
    await chooseAction(page, GRACE, "Remove");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("rowheader", { name: GRACE }).waitFor({ state: "detached" });
    await waitFor(
      async () => {
        await guest.goto(`${server.url}/offers/channels`);
        expect(new URL(guest.url()).pathname).toBe("/log-in");
      },
      { timeout: 60_000, interval: 1_000 },
    );
    await guest.close();
  });

  async function invite(email: string): Promise<void> {
    await page.goto(`${server.url}/account/settings`);
    const invitations = region(page, "Invitations");
    await invitations.getByLabel("Email address").fill(email);
    await invitations.getByRole("button", { name: "Invite" }).click();
    await invitations.getByRole("rowheader", { name: email }).waitFor();
  }

  /** The inviter's outbox has the link; that of nobody else does. */
  async function invitationOf(email: string): Promise<string> {
    await page.goto(`${server.url}/account/outbox`);
    const message = page
      .getByRole("listitem")
      .filter({ hasText: `to ${email}` })
      .first();
    const link = (await message.getByRole("link").getAttribute("href")) ?? "";
    await page.goto(`${server.url}/account/settings`);
    return link;
  }
});
