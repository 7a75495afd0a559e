import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../factories/browser";
import { isLongRun, sampled } from "../factories/sampled";
import { type ServerProcess, startServerProcess } from "../factories/server-process";
import {
  type AxeRules,
  click,
  logIn,
  openPage,
  post,
  reportCounts,
  reportSeen,
  serveOffers,
  settle,
  sidewaysOf,
  violationsOf,
} from "./dashboard-visit";
import { actionsFor, chooseAction } from "./row-actions";

/** What only a narrow page can break, such as a list that scrolls and cannot be reached by keyboard. */
const OF_WIDTH = ["scrollable-region-focusable", "target-size", "button-name", "link-name", "label"];
interface Look {
  width: number;
  height: number;
  colorScheme: "light" | "dark";
  rules?: AxeRules;
}
/** The dark look is the light one in other colours, and the narrow look has the colours of the wide one. */
const LOOKS: Look[] = [
  { width: 1280, height: 900, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark", rules: { runOnly: ["color-contrast"] } },
  { width: 360, height: 740, colorScheme: "light", rules: { runOnly: OF_WIDTH } },
];

/** How many pages are looked at in the dark, too, in a run that is not long: together they hold every kind of part. */
const DARK_PAGES = 20;
/** On a machine that may have other work. */
const EVERY_PAGE_MS = 1_500_000;
/** What browsers themselves write where a page is meant to be missing, and a log-in to be refused. */
const EXPECTED = /(\/nowhere: Failed to load resource.* 404|\/auth\.logIn\S+: Failed to load resource.* 400) /;

let server: ServerProcess;
let browser: Browser;
let known: BrowserContext;
let stranger: BrowserContext;
const faults: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerProcess(), launchBrowser()]);
  const options = { locale: "en-US", reducedMotion: "reduce" } as const;
  [known, stranger] = await Promise.all([browser.newContext(options), browser.newContext(options)]);
  const other = await browser.newContext(options);
  // The second one gives the list of sessions something to end.
  for (const context of [other, known]) {
    const page = await openPage(context, faults);
    await logIn(page, server.url, server.demo.dashboard);
    await page.close();
  }
  await other.close();
  await Promise.all([makeTraffic(), invite()]);
}, 180_000);
afterAll(async () => {
  await known?.close();
  await stranger?.close();
  await browser?.close();
  await server?.stop();
});

/** Offers that were served, seen and clicked, and an order, so that lists, plots and figures have something to show. */
async function makeTraffic(): Promise<void> {
  const { url, demo } = server;
  const key = demo.channel.server_key;
  const offers = await serveOffers(url, key, { query: "running shoes", limit: 3, geo: "US" });
  await reportSeen(url, key, offers);
  const [seen] = offers;
  const clickId = seen && (await click(seen));
  const body = { order_id: "ORDER-1", value_micros: 49_900_000, ...(clickId && { click_id: clickId }) };
  const order = await post(`${url}/api/v1/conversions`, { authorization: `Bearer ${demo.api.live_key}` }, body);
  expect(order.status).toBe(201);
  await reportCounts(server, offers.length);
}

/** The link of an open invitation, as the outbox of who invites shows it. */
let invitationLink: string;

async function invite(): Promise<void> {
  const page = await openPage(known, faults);
  await page.goto(`${server.url}/account/settings`);
  await settle(page);
  const invitations = page.getByRole("region", { name: "Invitations" });
  await invitations.getByLabel("Email address").fill("grace@publisher.example");
  await invitations.getByRole("button", { name: "Invite" }).click();
  await invitations.getByRole("rowheader", { name: "grace@publisher.example" }).waitFor();
  await page.goto(`${server.url}/account/outbox`);
  invitationLink =
    (await page
      .getByRole("link", { name: /\/invitation/ })
      .first()
      .getAttribute("href")) ?? "";
  await page.close();
}

interface Flaw {
  look: string;
  violations: string[];
  sideways: number;
}

async function flawsOf(page: Page, looks: readonly Look[]): Promise<Flaw[]> {
  const flaws: Flaw[] = [];
  for (const { width, height, colorScheme, rules } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(
      (dark) => document.documentElement.classList.contains("dark") === dark,
      colorScheme === "dark",
    );
    const sideways = await sidewaysOf(page);
    const violations = await violationsOf(page, rules);
    if (violations.length > 0 || sideways > 0) flaws.push({ look: `${width} ${colorScheme}`, violations, sideways });
  }
  return flaws;
}

type Open = (page: Page) => Promise<unknown>;

const at =
  (address: string): Open =>
  (page) =>
    page.goto(server.url + address);

/** A page, and what is pressed on it until the thing itself is there. */
const then =
  (address: string, ...presses: Open[]): Open =>
  async (page) => {
    await page.goto(server.url + address);
    for (const press of presses) await press(page);
  };

const press =
  (name: string | RegExp): Open =>
  (page) =>
    page.getByRole("button", { name }).first().click();

const action =
  (row: RegExp, name: string): Open =>
  (page) =>
    chooseAction(page, row, name);

const rowMenu: Open = async (page) => {
  await actionsFor(page, /^Actions for/)
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Archive" }).waitFor();
};

const dialog: Open = (page) => page.getByRole("dialog").or(page.getByRole("alertdialog")).waitFor();

const firstCampaign: Open = async (page) => {
  await page.getByRole("table", { name: "Campaigns" }).getByRole("rowheader").first().getByRole("link").click();
  await page.waitForURL(/\/campaigns\/cmp_/);
  await page.getByRole("region", { name: "Budget and pacing" }).waitFor();
};

const tab =
  (name: string, heading: string): Open =>
  async (page) => {
    await page.getByRole("tab", { name }).click();
    await page.getByRole("region", { name: heading }).waitFor();
  };

const edited: Open = async (page) => {
  await page.getByLabel("Name", { exact: true }).fill("Edited");
  await page.getByRole("button", { name: "Save changes" }).waitFor();
};

/** Goes on to a step of a new campaign, everything in it unfolded. */
const toStep =
  (number: 2 | 3): Open =>
  async (page) => {
    await page.getByLabel("Name", { exact: true }).fill("Any");
    for (let step = 2; step <= number; step++) {
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("group", { name: `Step ${step} of 3` }).waitFor();
    }
    for (const summary of await page.locator("summary").all()) if (await summary.isVisible()) await summary.click();
  };

const explained: Open = async (page) => {
  await page.getByLabel("Query").fill("running shoes");
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByRole("table", { name: "Offered, best first" }).waitFor();
};

const testOrderSent: Open = async (page) => {
  await page.getByRole("button", { name: "Send test order" }).click();
  await page.getByText("Order received").waitFor();
};

/** The demo channel's page with the preview in sight, where it asks for its offers. */
const previewed: Open = async (page) => {
  const preview = page.locator("iframe");
  await preview.scrollIntoViewIfNeeded();
  await preview.contentFrame().getByText("Sponsored", { exact: true }).first().waitFor();
};

const refused: Open = (page) => page.locator("[aria-invalid=true]").first().waitFor();

const offersShown: Open = (page) => page.getByText("Sponsored", { exact: true }).first().waitFor();

const menu: Open = async (page) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").waitFor();
};

const unscoped: Open = (page) => page.getByText("Choose at least one scope.").waitFor();

const firstKey: Open = (page) =>
  page.getByRole("table", { name: "Platform keys" }).getByRole("rowheader").first().getByRole("button").click();

const verified: Open = async (page) => {
  await page.getByText("The log is intact").waitFor();
  await page.getByRole("main").getByRole("listitem").first().locator("summary").click();
};

const channel = () => `/offers/channels/${server.demo.channel.id}`;

const KNOWN: [string, Open][] = [
  ["overview", at("/offers?mode=live")],
  ["overview without anything", at("/offers?mode=test")],
  ["the menu", then("/offers", menu)],
  ["channels", at("/offers/channels?mode=live")],
  ["a new channel", then("/offers/channels", press("Create channel"), dialog)],
  ["a channel", (page) => then(channel(), previewed)(page)],
  ["a channel, the snippet pinned and by script", (page) => then(channel(), pinned)(page)],
  ["the revocation of a key", (page) => then(channel(), action(/^Actions for the key/, "Revoke"), dialog)(page)],
  ["advertisers", at("/offers/advertisers")],
  ["a new advertiser", then("/offers/advertisers", press("Create advertiser"), dialog)],
  ["campaigns", at("/offers/campaigns?mode=live")],
  ["the menu of a campaign", then("/offers/campaigns?mode=live", rowMenu)],
  ["a campaign", then("/offers/campaigns?mode=live", firstCampaign)],
  ["a campaign's creatives", then("/offers/campaigns?mode=live", firstCampaign, tab("Creatives", "Creatives"))],
  ["a campaign's products", then("/offers/campaigns?mode=live", firstCampaign, tab("Products", "Product feed"))],
  [
    "a campaign's settings, edited",
    then("/offers/campaigns?mode=live", firstCampaign, tab("Settings", "Name and budget"), edited),
  ],
  ["a new campaign", at("/offers/campaigns/new")],
  ["a new campaign, who sees it", then("/offers/campaigns/new", toStep(2))],
  ["a new campaign, budget and review", then("/offers/campaigns/new", toStep(3))],
  ["reports", at("/offers/reports?mode=live")],
  ["reports by traffic", at("/offers/reports?mode=live&group_by=traffic")],
  ["reports without anything", at("/offers/reports?mode=test")],
  ["conversions", at("/offers/conversions?mode=live")],
  ["a test order", then("/offers/conversions?mode=test", testOrderSent)],
  ["a new workspace", then("/cloud/workspaces?mode=test", press("Create workspace"), dialog)],
  ["GPU pools", at("/cloud/gpu-pools?mode=test")],
  ["the activation of a service", then("/cloud/resources?mode=live", press("Activate of GPU instances"), dialog)],
  [
    "a planned resource",
    then("/cloud/resources?mode=test", press("Create a resource of GPU instances"), plannedInstance),
  ],
  ["prices of instances", at("/cloud/resources?tab=skus")],
  ["usage of resources", at("/cloud/resources?mode=test&tab=usage")],
  ["reservations", at("/cloud/reservations?mode=test")],
  ["usage and invoices", at("/cloud/usage?mode=live")],
  ["events", at("/cloud/events?mode=live")],
  ["functions", at("/cloud/functions?mode=live")],
  ["an edge function", then("/cloud/edge?mode=test", press("Create edge function"), publishedEdgeFunction)],
  ["S3 credentials", then("/cloud/storage?mode=live", press("S3 credentials"), dialog)],
  [
    "a scan of a bucket",
    then("/cloud/storage?mode=test", press("Create bucket"), createdBucket("scanned-bucket"), scannedBucket),
  ],
  ["a new upstream", then("/cloud/chat/settings?mode=live", press("Add upstream"), dialog)],
  ["agents", at("/cloud/agents")],
  ["an agent's tool", then("/cloud/agents", triedTool)],
  ["API keys", at("/account/api-keys?mode=live")],
  [
    "a new API key, refused",
    then("/account/api-keys", press("Create key"), dialog, press(/^Create (test|live) key$/), unscoped),
  ],
  ["the rotation of an API key", then("/account/api-keys?mode=live", action(/^Actions for/, "Rotate"), dialog)],
  ["an API key", then("/account/api-keys?mode=live", firstKey, dialog)],
  ["projects", at("/account/projects")],
  ["the audit log, verified, with an entry", then("/account/audit-log", press("Verify log"), verified)],
  ["settings with team, invitations and sessions", at("/account/settings")],
  ["the outbox", at("/account/outbox")],
  ["the end of a session", then("/account/settings", action(/^Actions for the session/, "End session"), dialog)],
  ["explain", at("/offers/explain")],
  ["an explanation", then("/offers/explain?mode=live", explained)],
  ["a new sandbox", then("/cloud/sandboxes?mode=test", press("Create sandbox"), dialog)],
];

/** Those that the tests of their product look at, too, with axe and narrow. */
const KNOWN_ELSEWHERE: [string, Open][] = [
  ["balance", at("/offers/balance?mode=live")],
  ["balance of test mode", at("/offers/balance?mode=test")],
  ["pods", at("/cloud/pods?mode=test")],
  ["a new pod", then("/cloud/pods?mode=live", press("Create pod"), dialog)],
  ["webhooks", at("/cloud/webhooks?mode=live")],
  ["a new webhook", then("/cloud/webhooks", press("Create webhook"), dialog)],
  ["queues", at("/cloud/queues?mode=live")],
  ["storage", at("/cloud/storage?mode=live")],
  ["a bucket", then("/cloud/storage?mode=test", press("Create bucket"), createdBucket("walked-bucket"))],
  ["secrets", at("/cloud/secrets?mode=live")],
  ["a new secret", then("/cloud/secrets", press("Create secret"), dialog)],
  ["chat", at("/cloud/chat?mode=test")],
  ["chat in live mode", at("/cloud/chat?mode=live")],
  ["chat requests", at("/cloud/chat/requests?mode=test")],
  ["chat usage", at("/cloud/chat/usage?mode=test")],
  ["chat budgets", at("/cloud/chat/budgets?mode=test")],
  ["a new chat budget", then("/cloud/chat/budgets?mode=test", press("Create budget"), dialog)],
  ["chat settings", at("/cloud/chat/settings?mode=test")],
  ["usage", at("/account/usage")],
];

/** The demo's test key is in its file, not on a page. */
async function triedTool(page: Page): Promise<void> {
  await page.getByLabel("API key").fill(server.demo.api.test_key);
  await page.getByLabel(/^Tool \(\d+\)$/).selectOption("svc_storage_list");
  await page.getByLabel("max_keys").fill("5");
  await page.getByRole("button", { name: "Call svc_storage_list" }).click();
  await page.getByText('"next_cursor": null').waitFor();
}

function createdBucket(name: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Create bucket" }).click();
    await page.waitForURL(/\/storage\/bkt_/);
    await page.getByRole("heading", { name: "The bucket is empty" }).waitFor();
    await messageGone(page);
  };
}

/** From a form that names what is wrong to the plan. */
async function plannedInstance(page: Page): Promise<void> {
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("walked");
  await form.getByRole("button", { name: "Plan resource" }).click();
  await refused(page);
  await form.getByLabel("sku").selectOption("H100");
  await form.getByLabel("image_id").fill("alpine-3");
  await form.getByRole("button", { name: "Plan resource" }).click();
  await page.waitForURL(/\/resources\/plc_/);
  await page.getByRole("button", { name: "Activate and provision" }).waitFor();
}

/** From its form to what its host responds. */
async function publishedEdgeFunction(page: Page): Promise<void> {
  await page.getByRole("dialog").getByLabel("Name").fill("walked");
  await page.getByRole("dialog").getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/edge\/edg_/);
  await page.getByRole("button", { name: "Publish version 1" }).click();
  const url = await page.getByRole("link", { name: /walked-/ }).getAttribute("href");
  const visit = await page.context().newPage();
  await visit.goto(url ?? "");
  await visit.getByText("Hello from the edge").waitFor();
  await visit.close();
  await page.getByText("GET / 200").waitFor();
  await messageGone(page);
}

/** Axe would measure the colours of the message that fades. */
const messageGone = (page: Page) => page.locator("[data-sonner-toast]").first().waitFor({ state: "detached" });

/** From the first page, which has no scans yet, to the findings. */
async function scannedBucket(page: Page): Promise<void> {
  await page.goto(`${server.url}/cloud/shield?mode=test`);
  await page.getByRole("heading", { name: "No scans in test mode yet" }).waitFor();
  await page.getByRole("button", { name: "Scan a bucket" }).first().click();
  await page.getByRole("dialog").getByLabel("Bucket").selectOption({ label: "scanned-bucket (0 B)" });
  await page.getByRole("button", { name: "Start scan" }).click();
  await page.getByRole("table", { name: "Scans" }).getByText("completed").waitFor();
  await page.getByRole("table", { name: "Findings" }).getByText("No lifecycle rule deletes objects").waitFor();
  await messageGone(page);
}

async function pinned(page: Page): Promise<void> {
  await page.getByLabel("Pin this version").check();
  await page.getByRole("tab", { name: "JavaScript" }).click();
  await page.getByText("integrity=").waitFor();
}

const STRANGER: [string, Open][] = [
  ["the front page", at("/")],
  ["log-in", at("/log-in")],
  ["log-in, refused", then("/log-in", press("Log in"), refused)],
  ["sign-up", at("/sign-up")],
  ["a forgotten password", at("/forgot-password")],
  ["a new password", at("/reset-password?token=x")],
  ["an address to confirm", at("/verify-email?token=x")],
  ["an invitation", (page) => page.goto(invitationLink)],
  ["the demo page", then("/demo?q=running+shoes", offersShown)],
  ["no page", at("/nowhere")],
];

/** Two tabs at once: the browser waits for the server about half of the time. */
const TABS = 2;

async function flawsOfPages(pages: [string, Open][], context: BrowserContext): Promise<Record<string, unknown>> {
  const flaws: Record<string, unknown> = {};
  const waiting = [...pages];
  const dark = new Set(sampled(pages, DARK_PAGES));
  const tab = async () => {
    // One tab for all its pages: a new one has a process of its own, which compiles every script again.
    let page = await openPage(context, faults);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, open] = next;
      const looks = LOOKS.filter(({ colorScheme }) => colorScheme === "light" || (next && dark.has(next)));
      await page.setViewportSize({ width: 1280, height: 900 });
      try {
        await open(page);
        await settle(page);
        const found = await flawsOf(page, looks);
        if (found.length > 0) flaws[name] = found;
      } catch (failure) {
        flaws[name] = String(failure);
        await page.close();
        page = await openPage(context, faults);
      }
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: TABS }, tab));
  return flaws;
}

describe("every page passes axe and needs no sideways scrolling, light and dark, at 1280 and 360 px", () => {
  it(
    "behind the log-in",
    async () => expect(await flawsOfPages(isLongRun ? [...KNOWN, ...KNOWN_ELSEWHERE] : KNOWN, known)).toEqual({}),
    EVERY_PAGE_MS,
  );
  it("before it", async () => expect(await flawsOfPages(STRANGER, stranger)).toEqual({}), EVERY_PAGE_MS);
  it("and says no word of trouble to the browser", () =>
    expect(faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]));
});
