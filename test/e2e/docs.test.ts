import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { UPSTREAMS_FILE } from "../../app/docs/chat/examples";
import { readUpstreams } from "../../server/cloud/ai/gateway/read-upstreams";
import { sharedBrowser } from "../factories/browser";
import { openForFile } from "../factories/open-for-file";
import { sampled } from "../factories/sampled";
import { ownDemo } from "../factories/shared-server";
import { openPage } from "./dashboard-visit";
import { flawsOfState } from "./look";

const REFERENCES = [
  {
    api: "Platform API",
    quickStart: "/api-clients",
    search: "calling tenant",
    call: { method: "get", path: "/v1/tenants/me" },
  },
  {
    api: "Offers API",
    quickStart: "/publishers",
    search: "Get offers for a query",
    call: { method: "post", path: "/api/v1/offers" },
  },
] as const;
/** Both widths and both themes; colours do not depend on the width. */
const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
] as const;
/** What the browser itself writes where a refusal, or no answer, is meant to come. */
const EXPECTED = /\/(channels\?limit=5000|tenants\/me): Failed to load resource/;

const faults: string[] = [];
const outside: string[] = [];

const [server, browser] = await Promise.all([ownDemo(), sharedBrowser()]);
const context = await openForFile(browser.newContext({ locale: "en-US", reducedMotion: "reduce" }));
context.on("request", (request) => {
  if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== server.url) outside.push(request.url());
});

const open = async (at: string): Promise<Page> => {
  const page = await openPage(context, faults);
  await page.goto(`${server.url}/docs${at}`);
  return page;
};

/** Presses a key until the page, which listens only once it is hydrated, responds. */
async function pressUntil(page: Page, key: string, shown: Locator): Promise<void> {
  await expect
    .poll(async () => {
      if ((await shown.count()) === 0) await page.keyboard.press(key);
      return shown.count();
    })
    .toBe(1);
}

/** Runs an example and waits for words of its answer. */
async function run(page: Page, name: string, words: string): Promise<Locator> {
  const example = page.getByRole("figure", { name, exact: true });
  await example.getByRole("button", { name: `Run: ${name}` }).click();
  await example.getByText(words).waitFor();
  return example;
}

async function look(page: Page, { width, colorScheme }: (typeof LOOKS)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(
    (dark) => document.documentElement.classList.contains("dark") === dark,
    colorScheme === "dark",
  );
}

it("runs a quick start with the reader's own key, one step with what the step before made", async () => {
  const page = await open("/api-clients");
  await run(page, "Get the calling tenant", "Enter your platform key");
  const key = page.getByLabel("Your platform key");
  await key.fill("svc_test_wrong");
  await run(page, "Get the calling tenant", "401 Unauthorized");
  await key.fill(server.demo.api.test_key);
  const tenant = await run(page, "Get the calling tenant", "200 OK");
  await tenant.getByText(server.demo.api.tenant_id).waitFor();
  await run(page, "Get the channel", "Run the previous step first");
  await run(page, "Create a channel", "201 Created");
  await run(page, "Get the channel", '"name": "Quick start"');
  await run(page, "Exceed a limit", '"code": "invalid_request"');
  expect(await page.getByText(server.demo.api.test_key).count()).toBe(0);
  expect(await page.evaluate(() => [...Object.values(localStorage), ...Object.keys(sessionStorage)])).toEqual([
    "svc.docs.platform-key",
  ]);
  await page.close();
});

it("keeps a key that is typed before the page's code has run", async () => {
  const slow = await browser.newContext({ locale: "en-US" });
  const page = await openPage(slow, faults);
  let isTyped = () => {};
  const typed = new Promise<void>((resolve) => {
    isTyped = resolve;
  });
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await typed;
    await route.continue();
  });
  // A navigation ends when the page has hydrated, which is after the key was typed.
  const arrived = page.goto(`${server.url}/docs/api-clients`, { waitUntil: "commit" });
  const key = page.getByLabel("Your platform key");
  await key.fill(server.demo.api.test_key);
  isTyped();
  await arrived;
  const stored = () => page.evaluate(() => sessionStorage.getItem("svc.docs.platform-key"));
  await expect.poll(stored).toBe(server.demo.api.test_key);
  expect(await key.inputValue()).toBe(server.demo.api.test_key);
  await slow.close();
});

it("takes an advertiser from a brand to a campaign with a creative and an order", async () => {
  const page = await open("/advertisers");
  await page.getByLabel("Your platform key").fill(server.demo.api.test_key);
  await run(page, "Create an advertiser", "201 Created");
  await run(page, "Create a campaign", "201 Created");
  await run(page, "Add a creative", "201 Created");
  await run(page, "Get the campaign", '"items": 1');
  await run(page, "Report an order", "201 Created");
  await page.close();
});

it("creates a webhook and lists its deliveries, the events and their kinds", async () => {
  const page = await open("/webhooks");
  await page.getByLabel("Your platform key").fill(server.demo.api.test_key);
  await run(page, "Create a webhook", '"secret": "whsec_');
  await run(page, "List deliveries", "200 OK");
  await page.getByRole("tab", { name: "Go", exact: true }).click();
  await page.getByText("hmac.Equal").waitFor();
  await page.goto(`${server.url}/docs/events`);
  await run(page, "List the newest events", '"type": "webhook.created"');
  await run(page, "List the kinds", '"type": "campaign.created"');
  await page.getByText("Fields of data, and an example of campaign.created").click();
  await page.getByText('"type": "campaign.created"').last().waitFor();
  await page.close();
});

it("presigns an upload into the default bucket, and lists the bucket", async () => {
  const page = await open("/storage");
  await page.getByLabel("Your platform key").fill(server.demo.api.test_key);
  await run(page, "Presign an upload", '"method": "PUT"');
  await run(page, "List objects", '"common_prefixes"');
  await run(page, "Presign a download", '"method": "GET"');
  await run(page, "Get the bucket", '"is_default": true');
  await run(page, "Create S3 credentials", '"access_key_id": "svck');
  await page.close();
});

it("asks a model, embeds a text, and shows budget, usage and log", async () => {
  const page = await open("/chat");
  await page.getByText(`OpenAI(base_url="${server.url}/v1")`).waitFor();
  await page.getByLabel("Your platform key").fill(server.demo.api.test_key);
  await run(page, "Call a model", '"simulated": true');
  await run(page, "List models", '"id": "svc-echo"');
  await run(page, "Embed a text", '"embedding": [');
  await run(page, "Create a budget", '"action": "notify"');
  await run(page, "Tokens and cost of the last 7 days", '"currency": "USD"');
  await run(page, "List the newest requests", '"endpoint": "chat"');
  await page.close();
});

it("shows a file of upstreams that svc reads", async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-docs-"));
  try {
    await writeFile(path.join(dir, "upstreams.json"), UPSTREAMS_FILE);
    const upstreams = readUpstreams(path.join(dir, "upstreams.json"), { OPENAI_KEY: "sk-1" });
    expect(upstreams.map(({ id, apiKey, priority }) => [id, apiKey, priority])).toEqual([
      ["openai", "sk-1", 0],
      ["own-server", undefined, 1],
    ]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

it("creates one thing however often the same example is run, and says so when there is no answer", async () => {
  const page = await open("/api-clients");
  await page.getByLabel("Your platform key").fill(server.demo.api.test_key);
  const created = await run(page, "Create a channel", "201 Created");
  const first = await created.getByText('"id"').textContent();
  const replayed = page.waitForResponse((answer) => answer.request().method() === "POST");
  await run(page, "Create a channel", "201 Created");
  expect((await replayed).headers()["idempotency-replayed"]).toBe("true");
  await created.getByRole("button", { name: "Run: Create a channel" }).and(page.locator("[aria-busy=false]")).waitFor();
  expect(await created.getByText('"id"').textContent()).toBe(first);
  await page.route("**/v1/tenants/me", (route) => route.abort());
  await run(page, "Get the calling tenant", "The server did not respond");
  await page.close();
});

it("shows every example in the language that the reader has chosen, also on the next page", async () => {
  const page = await open("/api-clients");
  const example = page.getByRole("figure", { name: "Create a channel", exact: true });
  await example.getByText("curl -s").waitFor();
  await example.getByRole("tab", { name: "curl" }).focus();
  await page.keyboard.press("ArrowRight");
  await example.getByText("requests.post(").waitFor();
  await page.getByRole("figure", { name: "List channels" }).getByText("requests.get(").waitFor();
  await page.goto(`${server.url}/docs/publishers`);
  await page.getByRole("figure", { name: "Request offers" }).getByText("requests.post(").waitFor();
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

it("finds a section by words of its text, by keyboard, and says which one is chosen", async () => {
  const page = await open("");
  await page.getByRole("button", { name: "Search" }).waitFor();
  await pressUntil(page, "Control+k", page.getByRole("dialog", { name: "Search the documentation" }));
  const field = page.getByRole("combobox", { name: "Search the documentation" });
  await field.fill("idempotency replayed");
  const found = page.getByRole("option", { name: /^Errors and retries: Idempotency keys/ });
  await found.waitFor();
  await page.waitForFunction(() => {
    const chosen = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
    return document.getElementById(chosen)?.getAttribute("aria-selected") === "true";
  });
  expect(await flawsOfState(page)).toEqual([]);
  await field.press("Enter");
  await page.waitForURL(`${server.url}/docs/errors#idempotency`);
  await page.getByRole("heading", { name: "Idempotency keys" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Search" }).click();
  await field.fill("zzzz");
  await page.getByText("Nothing found for “zzzz”.").waitFor();
  await page.keyboard.press("Escape");
  await page.close();
});

it("finds an operation of an API and leads to it in the reference", async () => {
  const page = await open("/keys");
  await pressUntil(page, "Control+k", page.getByRole("dialog", { name: "Search the documentation" }));
  await page.getByRole("combobox", { name: "Search the documentation" }).fill("/v1/ads/channels create key");
  await page.getByRole("option", { name: /^Platform API: Create a channel key/ }).click();
  const operation = "#tag/channels/POST/v1/ads/channels/{id}/keys";
  await page.waitForURL(({ hash }) => decodeURIComponent(hash) === operation);
  await page.getByRole("button", { name: "Test Request (post /v1/ads/channels/{id}/keys)" }).waitFor();
  await page.close();
});

it("lists the sections of every page beside it, and each leads to its heading", async () => {
  const page = await open("/limits");
  await look(page, LOOKS[0]);
  const outline = page.getByRole("navigation", { name: "On this page" });
  const links = outline.getByRole("link");
  const headings = page.getByRole("article").getByRole("heading", { level: 2 });
  expect(await links.allTextContents()).toEqual(await headings.allTextContents());
  await outline.getByRole("link", { name: "Pagination" }).click();
  await page.waitForURL(/#pages$/);
  await page.close();
});

it("fills in no key for a visitor", async () => {
  const page = await open("/publishers");
  await page.getByText('data-key="svc_pub_…"').waitFor();
  await page.close();
});

it.each(sampled(REFERENCES, 1))(
  "tries the $api here, in the theme and with the key of the reader",
  async (reference) => {
    const { api, quickStart, search, call } = reference;
    const page = await open(quickStart);
    await look(page, { width: 1280, colorScheme: "light" });
    const key = call.method === "get" ? server.demo.api.test_key : server.demo.channel.server_key;
    await page.getByLabel(/^Your .+ key$/).fill(key);
    await page.getByRole("navigation", { name: "Documentation", exact: true }).getByRole("link", { name: api }).click();
    await page.getByText(server.url, { exact: true }).first().waitFor();
    for (const each of LOOKS) {
      await look(page, each);
      await page.locator(`body.${each.colorScheme}-mode`).waitFor();
    }
    await look(page, LOOKS[0]);
    const field = page.getByRole("combobox", { name: "Enter search query" });
    await pressUntil(page, "Control+k", field);
    await field.fill(search);
    // Before it has searched, it lists something else.
    await page.getByRole("option").filter({ hasText: search }).first().click();
    await page.getByRole("button", { name: `Test Request (${call.method} ${call.path})` }).click();
    const answered = page.waitForResponse(server.url + call.path);
    await page.getByRole("button", { name: /^Send/ }).first().click();
    const answer = await answered;
    expect(answer.status()).toBe(200);
    expect(Object.values(await answer.request().allHeaders())).toContain(call.method === "get" ? `Bearer ${key}` : key);
    expect(await page.locator('a[href*="scalar.com"]').filter({ visible: true }).count()).toBe(0);
    await page.close();
  },
);

it("asks nobody but this server for anything, and says no word of trouble to the browser", () => {
  expect(outside).toEqual([]);
  expect(faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
});
