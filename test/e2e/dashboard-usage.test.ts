import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../factories/browser";
import { openForFile } from "../factories/open-for-file";
import { ownTenant } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";
import { logIn, openPage, region } from "./dashboard-visit";
import { flawsOfState } from "./look";

/** Counts are stored every few seconds. */
const COUNTED_WITHIN_MS = 60_000;

const faults: string[] = [];

const server = await ownTenant();
const browser = await sharedBrowser();
const context = await openForFile(browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" }));
await logIn(context, server);
const page = await openPage(context, faults);
const key = await createKey("Nightly import");

async function createKey(name: string): Promise<{ id: string; key: string }> {
  const response = await fetch(`${server.url}/v1/keys`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.demo.api.live_key}` },
    body: JSON.stringify({ name, scopes: ["ads:read"] }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as typeof key;
}

const get = async (path: string): Promise<number> =>
  (await fetch(server.url + path, { headers: { authorization: `Bearer ${key.key}` } })).status;

/** The requests of the key that are stored. */
async function countedRequests(): Promise<number> {
  const response = await fetch(`${server.url}/v1/usage/requests?key_id=${key.id}`, {
    headers: { authorization: `Bearer ${server.demo.api.live_key}` },
  });
  const { totals } = (await response.json()) as { totals: { requests: number } };
  return totals.requests;
}

/** The tables in it are regions with longer names. */
const requests = () => page.getByRole("region", { name: "API requests", exact: true });
const choice = () => requests().getByLabel("Key", { exact: true });
const byKey = () => requests().getByRole("table", { name: "API requests by key" });
const rowOf = (name: RegExp) => byKey().getByRole("row", { name });
const chosen = () => new URL(page.url()).searchParams;

describe("the history of requests", () => {
  it("is empty for a mode without requests, and says so", async () => {
    await page.goto(`${server.url}/account/usage?mode=test`);
    await requests().getByRole("heading", { name: "No requests in this period" }).waitFor();
    await requests().getByText("No API requests in test mode in the last 30 days.").waitFor();
  });

  it("shows a key's requests and errors by status, as a plot and as tables", async () => {
    expect([await get("/v1/ads/channels"), await get("/v1/ads/channels"), await get("/v1/keys")]).toEqual([
      200, 200, 403,
    ]);
    await waitFor(async () => expect(await countedRequests()).toBe(3), {
      timeout: COUNTED_WITHIN_MS,
      interval: 500,
    });
    await page.goto(`${server.url}/account/usage?mode=live`);
    await rowOf(/^Nightly import …\w{4} platform key 3 33\.33% 2 1 0 0$/).waitFor();
    await requests()
      .getByRole("img", { name: /^API requests by day and status/ })
      .waitFor();
    await expect.poll(() => requests().locator("path.recharts-area-curve").count()).toBe(4);
  });

  it("is limited to one key by choice, which stays in the address", async () => {
    await choice().selectOption(key.id);
    await rowOf(/^Total 3 33\.33% 2 1 0 0$/).waitFor();
    expect(chosen().get("key")).toBe(key.id);
    await page.reload();
    await rowOf(/^Total 3 33\.33% 2 1 0 0$/).waitFor();
    expect(await choice().inputValue()).toBe(key.id);
  });

  it("is shown by hour, with its figures in a table", async () => {
    await requests().getByRole("button", { name: "48 hours" }).click();
    await requests()
      .getByRole("img", { name: /^API requests by hour/ })
      .waitFor();
    expect(chosen().get("interval")).toBe("hour");
    await requests().getByText("Figures by hour").click();
    const rows = requests().getByRole("table", { name: "API requests by hour" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(1 + 48);
  });

  it("looks as every page should with figures", async () => {
    expect(await flawsOfState(page)).toEqual([]);
  });

  it("still shows a revoked key, and a key that nobody has as an error beside the choice", async () => {
    const revoked = await fetch(`${server.url}/v1/keys/${key.id}/revoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.demo.api.live_key}` },
    });
    expect(revoked.status).toBe(200);
    await page.reload();
    await rowOf(/^Nightly import …\w{4} platform key, revoked 3 /).waitFor();
    await page.goto(`${server.url}/account/usage?mode=live&key=key_none`);
    await requests().getByText('No key has the id "key_none".').waitFor();
    await region(page, "Limits").getByRole("heading", { name: "Projects", exact: true }).waitFor();
    await choice().selectOption({ label: "All keys" });
    await rowOf(/^Nightly import/).waitFor();
  });
});
