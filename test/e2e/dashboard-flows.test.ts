import type { BrowserContext, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MOVED_PAGES, START_PAGES } from "../../app/redirects.mjs";
import { sharedBrowser } from "../factories/browser";
import { ownDemo } from "../factories/shared-server";
import { awayFromMidnight, waitFor } from "../factories/wait-for";
import {
  click,
  isMarked,
  logIn,
  mark,
  openPage,
  post,
  region,
  reportSeen,
  type Served,
  serveOffers,
} from "./dashboard-visit";
import { chooseAction } from "./row-actions";

/** Events reach reports within seconds, and the pages look again every 3 to 15. */
const SHOWN_WITHIN_MS = 60_000;
const KEY = /svc_(pub|srv)_[a-z2-7]{48}/;

const [server, browser] = await Promise.all([ownDemo(), sharedBrowser()]);

/** Each test goes on where the one before ended. */
function inOrder(): void {
  beforeEach(({ task, skip }) => {
    const before = task.suite?.tasks ?? [];
    if (before.some((one) => one.result?.state === "fail")) skip("the step before failed");
  });
}

describe("who runs channels", () => {
  inOrder();
  let context: BrowserContext;
  let page: Page;
  let key: string;
  let served: Served[];

  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    await logIn(context, server);
    page = await openPage(context, []);
  });
  afterAll(() => context?.close());

  it("opens a channel of the other mode, and the dashboard follows it there", async () => {
    await page.goto(`${server.url}/offers/channels?mode=test`);
    const address = await page.getByRole("link", { name: "Demo site (test)" }).getAttribute("href");
    await page.goto(`${server.url}/offers/channels?mode=live`);
    await page.getByRole("radio", { name: "Live", checked: true }).waitFor();
    await page.goto(server.url + address);
    await page.getByRole("radio", { name: "Test", checked: true }).waitFor();
  });

  it("sees a new key although a query of the page does not answer", async () => {
    const held: Route[] = [];
    const reads = (request: URL) => request.pathname.startsWith("/api/trpc/") && request.pathname.includes("getReport");
    await page.route(reads, (route) => void held.push(route));
    await page.getByRole("button", { name: "New server key" }).click();
    await page.getByRole("status", { name: "Your server key" }).waitFor();
    expect(held).not.toEqual([]);
    await Promise.all(held.map((route) => route.continue()));
    await page.unroute(reads);
    await page.getByRole("button", { name: "I have stored it" }).click();
  });

  it("sees when a key was used, without a reload", async () => {
    await page.getByRole("button", { name: "New server key" }).click();
    key = KEY.exec((await page.getByRole("status", { name: "Your server key" }).textContent()) ?? "")?.[0] ?? "";
    await page.getByRole("button", { name: "I have stored it" }).click();
    const row = page.getByRole("row", { name: new RegExp(`…${key.slice(-4)}`) });
    await row.getByText("never").waitFor();
    await mark(page);
    // A key works a moment after it was made.
    await waitFor(async () => {
      served = await serveOffers(server.url, key, { query: "running shoes", limit: 3, geo: "US" });
    });
    await row.getByText("just now").waitFor({ timeout: SHOWN_WITHIN_MS });
    expect(await isMarked(page)).toBe(true);
  });

  it("sees the figures of today grow, without a reload", async () => {
    await awayFromMidnight(SHOWN_WITHIN_MS);
    await page.goto(`${server.url}/offers?mode=test`);
    const impressions = region(page, "Today's figures")
      .getByText(/^Impressions( today)?$/)
      .locator("xpath=following-sibling::dd[1]");
    await impressions.waitFor();
    const before = Number(await impressions.textContent());
    await mark(page);
    await reportSeen(server.url, key, served);
    await waitFor(async () => expect(Number(await impressions.textContent())).toBe(before + served.length), {
      timeout: SHOWN_WITHIN_MS,
      interval: 500,
    });
    expect(await isMarked(page)).toBe(true);
  });

  it("sends a test order for a click, and sees whom it is attributed to", async () => {
    const [offer] = served;
    const clickId = offer && (await click(offer));
    expect(clickId).toMatch(/^[0-9a-f]{32}$/);
    await page.goto(`${server.url}/offers/conversions?mode=test`);
    const advertiser = page.getByLabel("Advertiser", { exact: true });
    await advertiser.waitFor();
    // The form below belongs to the advertiser: a choice that shows late would discard what was typed meanwhile.
    for (const name of (await advertiser.locator("option").allTextContents()).slice(0, 2))
      expect(await shownAfterChoosing(advertiser, name)).toBe(name);
    await advertiser.selectOption({ label: await advertiserOf(offer) });
    const form = region(page, "Send a test order");
    await form.getByLabel("Click ID").fill("not a click id");
    await form.getByRole("button", { name: "Send test order" }).click();
    await form.getByText("Paste the 32 characters of svc_click_id").waitFor();
    expect(await form.getByLabel("Click ID").evaluate((field) => field === document.activeElement)).toBe(true);
    await form.getByLabel("Click ID").fill(clickId ?? "");
    await form.getByLabel("Order ID").fill("FLOW-1");
    await form.getByRole("button", { name: "Send test order" }).click();
    await form.getByText(/^Order received: it is attributed to .+, after a click\.$/).waitFor();
    const order = page.getByRole("row", { name: /FLOW-1/ });
    await order.getByText("after a click").waitFor();
    expect(await order.textContent()).toContain("$49.90");
    await form.getByRole("button", { name: "Send test order" }).click();
    await form.getByText(/^This order was already reported and is unchanged/).waitFor();
    expect(await page.getByRole("row", { name: /FLOW-1/ }).count()).toBe(1);
    await form.getByLabel("Click ID").fill("not a click id");
    await form.getByRole("button", { name: "Send test order" }).click();
    await form.getByText("Paste the 32 characters of svc_click_id").waitFor();
    await form.getByText(/^This order was already reported/).waitFor({ state: "detached" });
  });

  it("says why an order without a click is not attributed", async () => {
    const form = region(page, "Send a test order");
    await form.getByLabel("Click ID").fill("");
    await form.getByLabel("Order ID").fill("");
    await form.getByRole("button", { name: "Send test order" }).click();
    await form.getByText("Order received: it is stored, but not attributed to a campaign.").waitFor();
    await page.getByRole("combobox", { name: "Attribution" }).selectOption("none");
    await page.waitForURL(/attribution=none/);
    await page.getByRole("row", { name: /TEST-/ }).getByText("not attributed").waitFor();
    await page.getByRole("row", { name: /FLOW-1/ }).waitFor({ state: "detached" });
  });

  it("reads when a key was last used again before it is revoked", async () => {
    await page.goto(`${server.url}/offers/channels?mode=test`);
    await page.getByRole("link", { name: "Demo site (test)" }).click();
    await page.getByRole("button", { name: "New server key" }).click();
    const fresh = await page.getByRole("dialog").locator("output").textContent();
    await page.getByRole("dialog").getByRole("button", { name: "I have stored it" }).click();
    const row = page.getByRole("row", { name: new RegExp(`…${fresh?.slice(-4)}`) });
    await row.getByText("never").waitFor();
    await waitFor(async () => {
      const used = await post(`${server.url}/api/v1/offers`, { "x-svc-api-key": fresh ?? "" }, { query: "shoes" });
      expect(used.status).toBe(200);
    });
    const keys = `${server.url}/v1/ads/channels/${new URL(page.url()).pathname.split("/").pop()}/keys`;
    await waitFor(async () => {
      const answer = await fetch(keys, { headers: { authorization: `Bearer ${server.demo.api.test_key}` } });
      const { data } = (await answer.json()) as { data: { last_four: string; last_used_at: string | null }[] };
      expect(data.find(({ last_four }) => last_four === fresh?.slice(-4))?.last_used_at).toEqual(expect.any(String));
    });
    await chooseAction(row, /^Actions for the key/, "Revoke");
    await page
      .getByRole("alertdialog")
      .getByText(/^It was last used just now\./)
      .waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }).click();
    await row.getByText("revoked").waitFor();
  });

  it("is asked before a key is revoked; the answer no leaves it, yes ends it at once", async () => {
    await page.goto(`${server.url}/offers/channels?mode=test`);
    await page.getByRole("link", { name: "Demo site (test)" }).click();
    const row = page.getByRole("row", { name: new RegExp(`…${key.slice(-4)}`) });
    const question = page.getByRole("alertdialog");
    await chooseAction(row, /^Actions for the key/, "Revoke");
    await question.getByText(/^It was last used .+\. .*This cannot be undone/).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await row.getByText("active").waitFor();
    expect((await ask()).status).toBe(200);
    await chooseAction(row, /^Actions for the key/, "Revoke");
    await question.getByRole("button", { name: "Revoke key" }).click();
    await row.getByText("revoked").waitFor();
    await waitFor(async () => expect((await ask()).status).toBe(401));
  });

  const ask = () => post(`${server.url}/api/v1/offers`, { "x-svc-api-key": key }, { query: "shoes", limit: 1 });

  it("chooses a channel's strictness by keyboard, which changes nothing else, and finds it again", async () => {
    const { id } = server.demo.channel;
    const stored = async (): Promise<object> => {
      const headers = { authorization: `Bearer ${server.demo.api.live_key}` };
      return (await fetch(`${server.url}/v1/ads/channels/${id}`, { headers })).json() as Promise<object>;
    };
    const radio = (name: string, checked: boolean) =>
      page.getByRole("group", { name: "Strictness" }).getByRole("radio", { name, checked });
    const before = await stored();
    expect(before).toMatchObject({ strictness: "balanced" });
    await page.goto(`${server.url}/offers/channels/${id}`);
    for (const [from, key, to] of [
      ["Balanced", "ArrowDown", "Strict"],
      ["Strict", "ArrowUp", "Balanced"],
    ] as const) {
      await radio(from, true).focus();
      await page.keyboard.press(key);
      await radio(to, true).waitFor();
      await page.keyboard.press("Enter");
      const changed = { ...before, strictness: to.toLowerCase(), updated_at: expect.any(String) };
      await waitFor(async () => expect(await stored()).toEqual(changed));
      await page.reload();
      await radio(to, true).waitFor();
    }
  });

  it("is asked before a channel is archived, and finds it gone from the list", async () => {
    await page.goto(`${server.url}/offers/channels?mode=test`);
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Short-lived");
    await page.getByRole("button", { name: "Create test channel" }).click();
    await page.getByRole("heading", { name: "Short-lived", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Archive channel" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Archive channel" }).click();
    await page.waitForURL(/\/channels(\?|$)/);
    await page.getByRole("link", { name: "Demo site (test)" }).waitFor();
    await page.getByRole("link", { name: "Short-lived" }).waitFor({ state: "detached" });
  });
});

/** The landing page names the shop, whose advertiser has that domain. */
/** What a select shows in the very task in which `label` was chosen. */
const shownAfterChoosing = (select: Locator, label: string): Promise<string | undefined> =>
  select.evaluate(async (element: HTMLSelectElement, wanted) => {
    element.selectedIndex = [...element.options].findIndex(({ text }) => text === wanted);
    element.dispatchEvent(new Event("change", { bubbles: true }));
    await Promise.resolve();
    return element.selectedOptions[0]?.text;
  }, label);

async function advertiserOf(offer: Served | undefined): Promise<string> {
  const answer = await fetch(offer?.clickUrl ?? "", { method: "HEAD", redirect: "manual" });
  const slug = new URL(answer.headers.get("location") ?? "").pathname.split("/").at(-1) ?? "";
  const headers = { authorization: `Bearer ${server.demo.api.test_key}` };
  const list = await fetch(`${server.url}/v1/ads/advertisers?limit=100`, { headers });
  const { data } = (await list.json()) as { data: { name: string; domain: string }[] };
  return data.find(({ domain }) => `${slug}-`.startsWith(domain.replace(/example$/, "").replace(".", "-")))?.name ?? "";
}

describe("when something is wrong", () => {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    await logIn(context, server);
    page = await openPage(context, []);
  });
  afterAll(() => context?.close());

  it("says that the server is away, and shows the page when it is back", async () => {
    await page.route("**/api/trpc/**", (route) => route.abort());
    await page.goto(`${server.url}/offers/channels?mode=live`);
    await page.getByText("The server could not be reached.").waitFor({ timeout: 30_000 });
    await page.unroute("**/api/trpc/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Demo site" }).waitFor();
  });

  it("sends no field of a form in the address before the page's script runs", async () => {
    const still = await browser.newContext({ javaScriptEnabled: false });
    const early = await still.newPage();
    await early.goto(`${server.url}/log-in`);
    await early.getByLabel("Email address").fill("someone@shop.example");
    await early.getByLabel("Password").fill("a secret password");
    const [sent] = await Promise.all([
      early.waitForRequest((request) => request.method() === "POST"),
      early.waitForResponse((response) => response.status() === 200),
      early.getByRole("button", { name: "Log in" }).click(),
    ]);
    expect(sent.url()).toBe(`${server.url}/log-in`);
    await early.waitForURL(`${server.url}/log-in?`);
    await early.getByLabel("Password").waitFor();
    await still.close();
  });

  it.each([...MOVED_PAGES, ["/campaigns/new", "/offers/campaigns/new"] as const])(
    "moves permanently from %s to %s, with the query",
    async (from, to) => {
      const query = "?mode=live&q=a%20b";
      const moved = await fetch(`${server.url}${from}${query}`, { redirect: "manual" });
      expect([moved.status, moved.headers.get("location")]).toEqual([308, to + query]);
      const opened = await page.goto(`${server.url}${from}${query}`);
      expect([opened?.status(), page.url()]).toEqual([200, server.url + to + query]);
    },
  );

  it("keeps the id of an old address, and opens a page at each start address", async () => {
    const id = server.demo.channel.id;
    await page.goto(`${server.url}/channels/${id}?mode=live#settings`);
    await page.getByRole("heading", { name: "Demo site", level: 1 }).waitFor();
    expect(page.url()).toBe(`${server.url}/offers/channels/${id}?mode=live#settings`);
    for (const [from, to] of START_PAGES) {
      expect((await page.goto(`${server.url}${from}?mode=live`))?.status()).toBe(200);
      expect(page.url()).toBe(`${server.url}${to}?mode=live`);
    }
  });

  it("marks in the navigation the page that is open, and only that", async () => {
    const current = page.getByRole("navigation", { name: "Dashboard" }).locator("[aria-current=page]");
    const marked: [string, string][] = [
      ["/offers", "Overview"],
      ["/offers/campaigns/new", "Campaigns"],
      [`/offers/channels/${server.demo.channel.id}`, "Channels"],
      ["/cloud/chat/budgets", "Chat"],
      ["/account/audit-log", "Audit log"],
    ];
    for (const [address, label] of marked) {
      await page.goto(server.url + address);
      await current.first().waitFor();
      expect(await current.allTextContents()).toEqual([label]);
    }
    await page.getByRole("link", { name: "svc", exact: true }).first().click();
    await page.waitForURL((url) => url.pathname === "/offers");
    await page.goBack();
    await page.waitForURL(`${server.url}/account/audit-log`);
  });

  it("names what is missing where an address is old or mistyped", async () => {
    await page.goto(`${server.url}/offers/channels/chn_00000000000000000000000000`);
    await page.getByRole("main").getByRole("alert").waitFor();
    await page.goto(`${server.url}/nowhere`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });

  it("puts a refusal beside its field, with the focus there", async () => {
    await page.goto(`${server.url}/offers/channels?mode=test`);
    await page.getByRole("button", { name: "Create channel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Any");
    await dialog.getByLabel("Origins").fill("example.com/path");
    await dialog.getByRole("button", { name: "Create test channel" }).click();
    const origins = dialog.getByLabel("Origins");
    await dialog.locator("textarea[aria-invalid=true]").waitFor();
    expect(await origins.evaluate((field) => field === document.activeElement)).toBe(true);
    const told = await origins.evaluate((field) =>
      (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent),
    );
    expect(told.join(" ")).toContain("https://shop.example");
  });

  it("leads to the login page when the session has ended, and back to the same page", async () => {
    await page.goto(`${server.url}/offers/conversions?mode=test&attribution=none`);
    await page.getByRole("heading", { name: "Conversions", level: 1 }).waitFor();
    await context.clearCookies({ name: "svc_session" });
    await page.waitForURL(/\/log-in\?next=/, { timeout: SHOWN_WITHIN_MS });
    await page.getByLabel("Email address").fill(server.demo.dashboard.email);
    await page.getByLabel("Password").fill(server.demo.dashboard.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${server.url}/offers/conversions?mode=test&attribution=none`);
  });
});
