import type { Page } from "playwright-core";
import type { OwnDemo } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";
import { APP_ROUTES } from "./app-routes";
import type { LookScene } from "./look-scene";
import { actionsFor, chooseAction } from "./row-actions";

/** What leads from a page to a state of it. */
export type Step = (page: Page) => Promise<unknown>;

/** A state of a page: what it is called, where it is, and what is pressed there until the thing itself is shown. */
export type State = [name: string, address: string, ...steps: Step[]];

const press =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole("button", { name }).first().click();

const action =
  (row: RegExp, name: string): Step =>
  (page) =>
    chooseAction(page, row, name);

const rowMenu: Step = async (page) => {
  await actionsFor(page, /^Actions for/)
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Archive" }).waitFor();
};

const dialog: Step = (page) => page.getByRole("dialog").or(page.getByRole("alertdialog")).waitFor();

const shown =
  (text: string | RegExp): Step =>
  (page) =>
    page.getByText(text).first().waitFor();

const tableShown =
  (name: string): Step =>
  (page) =>
    page.getByRole("table", { name }).waitFor();

const firstCampaign: Step = async (page) => {
  await page.getByRole("table", { name: "Campaigns" }).getByRole("rowheader").first().getByRole("link").click();
  await page.waitForURL(/\/campaigns\/cmp_/);
  await page.getByRole("region", { name: "Budget and pacing" }).waitFor();
};

const tab =
  (name: string, heading: string): Step =>
  async (page) => {
    await page.getByRole("tab", { name }).click();
    await page.getByRole("region", { name: heading }).waitFor();
  };

const edited: Step = async (page) => {
  await page.getByLabel("Name", { exact: true }).fill("Edited");
  await page.getByRole("button", { name: "Save changes" }).waitFor();
};

/** Goes on to a step of a new campaign, everything in it unfolded. */
const toStep =
  (number: 2 | 3): Step =>
  async (page) => {
    await page.getByLabel("Name", { exact: true }).fill("Any");
    for (let step = 2; step <= number; step++) {
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("group", { name: `Step ${step} of 3` }).waitFor();
    }
    for (const summary of await page.locator("summary").all()) if (await summary.isVisible()) await summary.click();
  };

const explained: Step = (page) => page.getByRole("region", { name: "How the request was interpreted" }).waitFor();

const testOrderSent: Step = async (page) => {
  await page.getByRole("button", { name: "Send test order" }).click();
  await page.getByText("Order received").waitFor();
};

/** The demo channel's page with the preview in sight, where it asks for its offers. */
const previewed: Step = async (page) => {
  const preview = page.locator("iframe");
  await preview.scrollIntoViewIfNeeded();
  await preview.contentFrame().getByText("Sponsored", { exact: true }).first().waitFor();
};

const pinned: Step = async (page) => {
  // Until the preview is complete it grows, and moves what is below it away from the pointer.
  await previewed(page);
  await waitFor(() => page.getByLabel("Pin this version").check());
  await page.getByRole("tab", { name: "JavaScript" }).click();
  await page.getByText("integrity=").waitFor();
};

const refused: Step = (page) => page.locator("[aria-invalid=true]").first().waitFor();

const offersShown: Step = (page) => page.getByText("Sponsored", { exact: true }).first().waitFor();

const menu: Step = async (page) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("dialog").waitFor();
};

const firstKey: Step = (page) =>
  page.getByRole("table", { name: "Platform keys" }).getByRole("rowheader").first().getByRole("button").click();

const verified: Step = async (page) => {
  await page.getByText("The log is intact").waitFor();
  await page.getByRole("main").getByRole("listitem").first().locator("summary").click();
};

const createdBucket =
  (name: string): Step =>
  async (page) => {
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Create bucket" }).click();
    await page.waitForURL(/\/storage\/bkt_/);
    await page.getByRole("heading", { name: "The bucket is empty" }).waitFor();
  };

/** From the first page, which has no scans yet, to the findings. */
const scannedBucket =
  (name: string): Step =>
  async (page) => {
    await page.goto(new URL("/cloud/shield?mode=test", page.url()).href);
    await page.getByRole("button", { name: "Scan a bucket" }).first().click();
    await page
      .getByRole("dialog")
      .getByLabel("Bucket")
      .selectOption({ label: `${name} (0 B)` });
    await page.getByRole("button", { name: "Start scan" }).click();
    await page.getByRole("table", { name: "Scans" }).getByText("completed").waitFor();
    await page.getByRole("table", { name: "Findings" }).getByText("No lifecycle rule deletes objects").waitFor();
  };

/** From a form that names what is wrong to the plan. */
const plannedInstance: Step = async (page) => {
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("walked");
  await form.getByRole("button", { name: "Plan resource" }).click();
  await refused(page);
  await form.getByLabel("SKU").selectOption("H100");
  await form.getByLabel("Image").fill("alpine-3");
  await form.getByRole("button", { name: "Plan resource" }).click();
  await page.waitForURL(/\/resources\/plc_/);
  await page.getByRole("button", { name: "Activate and provision" }).waitFor();
};

/** From its form to what its host responds. */
const publishedEdgeFunction: Step = async (page) => {
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
};

const revealed: Step = async (page) => {
  await page.getByRole("button", { name: "Reveal version 1" }).click();
  await page.getByRole("dialog").getByLabel("Value", { exact: true }).getByText("first").waitFor();
};

const createdCredentials: Step = async (page) => {
  await page.getByRole("dialog").getByRole("button", { name: "Create credentials" }).click();
  await page.getByRole("dialog").locator("pre").waitFor();
};

const triedTool =
  (key: string): Step =>
  async (page) => {
    await page.getByLabel("API key").fill(key);
    await page.getByLabel(/^Tool \(\d+\)$/).selectOption("svc_storage_list");
    await page.getByLabel("max_keys").fill("5");
    await page.getByRole("button", { name: "Call svc_storage_list" }).click();
    await page.getByText('"next_cursor": null').waitFor();
  };

const openedKind: Step = async (page) => {
  await page.getByText("Fields of data, and an example of campaign.created").click();
  await page.getByRole("term").filter({ hasText: "advertiser_id" }).waitFor();
};

const openedFigures: Step = (page) => page.getByText(/^Figures by (hour|day)$/).click();

/** Every page without a variable segment, as it opens, that no list below names by its plain address. */
const plainStates = (isBehindLogIn: boolean, named: readonly State[]): State[] => {
  const addresses = named.filter(([, , ...steps]) => steps.length === 0).map(([, address]) => address.split("?")[0]);
  return APP_ROUTES.filter((route) => !route.isDynamic && route.isBehindLogIn === isBehindLogIn)
    .filter(({ route }) => !addresses.includes(route))
    .map(({ route }): State => [route, isBehindLogIn ? `${route}?mode=live` : route]);
};

/** Pages of a tenant that has something of everything. */
export function statesOfTenant({ demo }: OwnDemo, scene: LookScene): State[] {
  const channel = `/offers/channels/${demo.channel.id}`;
  // Unique in the installation.
  const [bucket, scanned] = [`bucket-${demo.channel.id.slice(-8)}`, `scanned-${demo.channel.id.slice(-8)}`];
  const campaigns = "/offers/campaigns?mode=live";
  const explain = `/offers/explain?mode=live&channel_id=${demo.channel.id}`;
  const states: State[] = [
    ["the menu", "/offers", menu],
    ["a new channel", "/offers/channels", press("Create channel"), dialog],
    ["a channel", channel, previewed],
    ["a channel, the snippet pinned and by script", channel, pinned],
    ["the revocation of a key", channel, action(/^Actions for the key/, "Revoke"), dialog],
    ["a new advertiser", "/offers/advertisers", press("Create advertiser"), dialog],
    ["the menu of a campaign", campaigns, rowMenu],
    ["a campaign", campaigns, firstCampaign],
    ["a campaign's creatives", campaigns, firstCampaign, tab("Creatives", "Creatives")],
    ["a campaign's products", campaigns, firstCampaign, tab("Products", "Product feed")],
    ["a campaign's settings, edited", campaigns, firstCampaign, tab("Settings", "Name and budget"), edited],
    ["a new campaign, who sees it", "/offers/campaigns/new", toStep(2)],
    ["a new campaign, budget and review", "/offers/campaigns/new", toStep(3)],
    ["reports by traffic", "/offers/reports?mode=live&group_by=traffic"],
    ["a test order", "/offers/conversions?mode=test", testOrderSent],
    ["an explanation", `${explain}&query=running+shoes`, explained],
    ["an explanation of a question", `${explain}&query=why+do+my+runing+shoes+smell+after+a+marathon`, explained],
    ["an explanation without offers", `${explain}&query=zygomorphic+quasar`, explained],
    ["an explanation of a page", `${explain}&context=A+test+of+running+shoes`, explained],
    ["explain, refused", explain, press("Explain"), refused],
    ["a new pod", "/cloud/pods?mode=live", press("Create pod"), dialog],
    ["an unknown pod", "/cloud/pods/pod_00000000000000000000000000"],
    ["a new sandbox", "/cloud/sandboxes?mode=test", press("Create sandbox"), dialog],
    ["an unknown sandbox", "/cloud/sandboxes/sbx_00000000000000000000000000"],
    ["a new workspace", "/cloud/workspaces?mode=test", press("Create workspace"), dialog],
    ["an unknown workspace", "/cloud/workspaces/wsp_00000000000000000000000000"],
    ["the activation of a service", "/cloud/resources?mode=live", press("Activate of GPU instances"), dialog],
    ["a planned resource", "/cloud/resources?mode=test", press("Create a resource of GPU instances"), plannedInstance],
    ["prices of instances", "/cloud/resources?tab=skus"],
    ["usage of resources", "/cloud/resources?mode=test&tab=usage"],
    ["an invoice", `/cloud/usage/invoices/${scene.invoiceId}`, tableShown("Usage by service and SKU")],
    ["a function", `/cloud/functions/${scene.functionId}`, shown("prices")],
    ["an edge function", "/cloud/edge?mode=test", press("Create edge function"), publishedEdgeFunction],
    ["a new queue", "/cloud/queues?mode=live", press("Create queue"), dialog],
    ["a queue", `/cloud/queues/${scene.queueId}`, shown("after 2 receives")],
    ["a queue's settings", `/cloud/queues/${scene.queueId}`, tab("Settings", "Settings")],
    ["S3 credentials", "/cloud/storage?mode=live", press("S3 credentials"), dialog, createdCredentials],
    ["a bucket", "/cloud/storage?mode=live", press("Create bucket"), createdBucket(bucket)],
    [
      "a scan of a bucket",
      "/cloud/storage?mode=test",
      press("Create bucket"),
      createdBucket(scanned),
      scannedBucket(scanned),
    ],
    ["a new secret", "/cloud/secrets", press("Create secret"), dialog],
    ["a revealed secret", `/cloud/secrets/${scene.secretId}`, revealed],
    ["a new webhook", "/cloud/webhooks", press("Create webhook"), dialog],
    ["a webhook", `/cloud/webhooks/${scene.webhookId}`, shown("project.*")],
    ["chat in test mode", "/cloud/chat?mode=test"],
    ["the log of chat", "/cloud/chat/requests?mode=test", tableShown("Chat requests")],
    ["the usage of chat", "/cloud/chat/usage?mode=test", openedFigures],
    ["budgets of chat", "/cloud/chat/budgets?mode=test", shown("100,000 tokens")],
    ["a new budget", "/cloud/chat/budgets?mode=test", press("Create budget"), dialog],
    ["a new upstream", "/cloud/chat/settings?mode=live", press("Add upstream"), dialog],
    ["an agent's tool", "/cloud/agents", triedTool(demo.api.test_key)],
    [
      "a new API key, refused",
      "/account/api-keys",
      press("Create key"),
      dialog,
      press(/^Create (test|live) key$/),
      shown("Choose at least one scope."),
    ],
    ["the rotation of an API key", "/account/api-keys?mode=live", action(/^Actions for/, "Rotate"), dialog],
    ["an API key", "/account/api-keys?mode=live", firstKey, dialog],
    ["the audit log, verified, with an entry", "/account/audit-log", press("Verify log"), verified],
    ["the end of a session", "/account/settings", action(/^Actions for the session/, "End session"), dialog],
  ];
  return [...plainStates(true, states), ...states];
}

/** Pages that have nothing to show yet. */
export const EMPTY_STATES: readonly State[] = [
  "/offers",
  "/offers/reports",
  "/offers/conversions",
  "/offers/balance",
  "/offers/channels",
  "/cloud/queues",
  "/cloud/storage",
  "/cloud/secrets",
  "/cloud/pods",
  "/cloud/webhooks",
  "/cloud/shield",
  "/cloud/chat/requests",
  "/cloud/chat/usage",
  "/cloud/chat/budgets",
  "/account/usage",
].map((route): State => [`${route} without anything`, `${route}?mode=test`]);

/** Pages for everybody. */
export function statesOfStranger({ invitationLink }: LookScene): State[] {
  const states: State[] = [
    ["log-in, refused", "/log-in", press("Log in"), refused],
    ["a new password", "/reset-password?token=x"],
    ["an address to confirm", "/verify-email?token=x"],
    ["an invitation", invitationLink],
    ["the demo page with offers", "/demo?q=running+shoes", offersShown],
    ["a landing page", "/demo/landing/ridgeline-pike"],
    ["no page", "/nowhere"],
    ["a kind of events", "/docs/events", openedKind],
    ["the reference of the Platform API", "/docs/reference/platform", shown(/^https?:\/\/localhost:\d+$/)],
  ];
  return [...plainStates(false, states), ...states];
}
