import http, { type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { webhooks } from "../../sdk/webhooks";
import { ownTenant } from "../factories/shared-server";
import { fieldState, visitDashboard } from "./campaign-visit";
import { post, region } from "./dashboard-visit";
import { flawsOfState } from "./look";

const NAME = "<img src=x onerror=alert(1)> sync";
const RESPONSE = "<b>thanks</b><script>document.title='pwned'</script>";
const TEST_MS = 300_000;

interface Received {
  body: string;
  headers: IncomingHttpHeaders;
}

/** An endpoint on this machine that responds with `status`. */
async function openReceiver() {
  const received: Received[] = [];
  const state = { status: 200 };
  const endpoint = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ body: Buffer.concat(chunks).toString("utf8"), headers: request.headers });
    response.writeHead(state.status, { "content-type": "text/html" }).end(RESPONSE);
  });
  await new Promise<void>((resolve) => void endpoint.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook?source=svc`;
  return { url, received, state, close: () => void endpoint.close() };
}

let secret = "";
const [server, receiver] = await Promise.all([ownTenant(), openReceiver()]);
const visit = await visitDashboard(server);
const page = visit.page;
afterAll(async () => {
  await visit?.context.close();
  receiver?.close();
});

const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const question = () => page.getByRole("alertdialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const deliveries = () => page.getByRole("table", { name: "Deliveries of this webhook" });
const rowOf = (kind: string) => deliveries().getByRole("row", { name: new RegExp(`^${kind.replaceAll(".", "\\.")}`) });
const status = () => page.getByRole("main").locator("header");

/** Without waiting for the network to be idle: the pages read their lists again every few seconds. */
async function loaded(): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !document.querySelector("main .animate-pulse"));
}

/** Reads the secret that the dialog shows, and closes it. */
async function takeSecret(): Promise<string> {
  const shown = dialog("Your signing secret");
  const text = (await shown.getByRole("status", { name: "Your signing secret" }).textContent()) ?? "";
  expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await shown.getByRole("button", { name: "I have stored it" }).click();
  await shown.waitFor({ state: "hidden" });
  return text;
}

async function sendTest(): Promise<void> {
  const before = receiver.received.length;
  await page.getByLabel("Kind of event").selectOption("project.created");
  await button("Send test event").click();
  await expect.poll(() => receiver.received.length).toBe(before + 1);
  await region(page, "Result of the test").getByText(`status ${receiver.state.status}`).waitFor();
}

it(
  "a webhook is created with a URL that is checked at once, and its secret is shown once",
  async () => {
    await page.goto(`${server.url}/cloud/webhooks?mode=live`);
    // A failure shows what the page says instead.
    await expect.poll(() => page.locator("main").textContent()).toContain("No webhooks in live mode yet");
    await button("Create webhook").first().click();
    const form = dialog("Create a live webhook");
    await form.getByLabel("Name").fill(NAME);
    await form.getByLabel("URL", { exact: true }).fill("http://shop.example/hook");
    await form.getByLabel("Search kinds of events").fill("project");
    await form.getByText("Use https: events are not sent over unencrypted connections.").waitFor();
    expect(await fieldState(page, "URL")).toMatchObject({ invalid: "true" });
    await form.getByLabel("URL", { exact: true }).fill("https://10.0.0.1/");
    await form.getByText("svc sends events only to public addresses.").waitFor();
    await form.getByLabel("URL", { exact: true }).fill(receiver.url);
    await form.getByRole("button", { name: "Create live webhook" }).click();
    await form.getByText("Choose at least one kind of event.").waitFor();
    await form.getByLabel("All of project (project.*)").check();
    await expect.poll(() => form.getByLabel("project.created", { exact: true }).isChecked()).toBe(true);
    expect(await flawsOfState(page)).toEqual([]);
    await form.getByRole("button", { name: "Create live webhook" }).click();
    const shown = dialog("Your signing secret");
    await shown.getByRole("tab", { name: "Python" }).click();
    await shown.getByText("hmac.compare_digest").waitFor();
    expect(await flawsOfState(page)).toEqual([]);
    secret = await takeSecret();
    const row = page.getByRole("table", { name: "Webhooks" }).getByRole("row", { name: NAME });
    await row.getByText("enabled", { exact: true }).waitFor();
    await row.getByText("project.*", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await row.getByRole("link", { name: NAME }).click();
    await page.waitForURL(/\/cloud\/webhooks\/whk_/);
    await page.getByRole("heading", { name: NAME, level: 1 }).waitFor();
    await page.reload();
    await loaded();
    expect(await page.content()).not.toContain(secret);
  },
  TEST_MS,
);

it(
  "a test event shows its result at once, and what the endpoint responds is text",
  async () => {
    await sendTest();
    const result = region(page, "Result of the test");
    await result.getByText("Delivered").waitFor();
    await result.getByText(RESPONSE, { exact: true }).waitFor();
    const [sent] = receiver.received;
    const event = await webhooks.verify(sent?.body ?? "", sent?.headers ?? {}, secret);
    expect(event.type).toBe("project.created");
    await result.getByRole("button", { name: "Show the delivery" }).click();
    const details = dialog("Delivery");
    await details.getByText("succeeded", { exact: true }).waitFor();
    await details.getByRole("region", { name: "Response to attempt 1" }).getByText(RESPONSE, { exact: true }).waitFor();
    await details.getByText(`"id": "${event.id}"`).waitFor();
    expect(await flawsOfState(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "hidden" });
    expect(await page.title()).not.toContain("pwned");
  },
  TEST_MS,
);

it(
  "a failed delivery of an event is found by its filter, sent again, and replayed",
  async () => {
    receiver.state.status = 503;
    const before = receiver.received.length;
    const headers = { authorization: `Bearer ${server.demo.api.live_key}` };
    const project = await post(`${server.url}/v1/projects`, headers, { name: "Webhook test" });
    expect(project.status).toBe(201);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    await page.getByLabel("Status").selectOption("pending");
    await page.waitForURL(/status=pending/);
    await rowOf("project.created").getByText("503", { exact: true }).waitFor();
    expect(await rowOf("project.created").count()).toBe(1);
    await rowOf("project.created").getByRole("button").click();
    const details = dialog("Delivery");
    await details.getByText("The endpoint responded with status 503.").first().waitFor();
    receiver.state.status = 200;
    await details.getByRole("button", { name: "Send now" }).click();
    await details.getByText("succeeded", { exact: true }).waitFor();
    await details.getByText("Attempt 2", { exact: true }).waitFor();
    await details.getByRole("button", { name: "Replay" }).click();
    await details.getByText("Attempt 3", { exact: true }).waitFor();
    const ids = receiver.received.slice(before).map(({ body }) => (JSON.parse(body) as { id: string }).id);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "hidden" });
    await page.getByRole("heading", { name: "No matching deliveries" }).waitFor();
    await button("Clear filters").click();
    await expect.poll(() => rowOf("project.created").count()).toBe(2);
  },
  TEST_MS,
);

it(
  "the deliveries of a time range are replayed",
  async () => {
    const before = receiver.received.length;
    await button("Replay a time range").click();
    const range = dialog("Replay a time range");
    await range.getByLabel("Created before").fill("2020-01-01T00:00");
    await range.getByLabel("Deliveries").selectOption("succeeded");
    await range.getByRole("button", { name: "Replay deliveries" }).click();
    await range.getByText("Choose an end that is after the start.").waitFor();
    await range.getByLabel("Created before").fill("2199-01-01T00:00");
    expect(await flawsOfState(page)).toEqual([]);
    await range.getByRole("button", { name: "Replay deliveries" }).click();
    await page.getByText("2 deliveries are sent again.").waitFor();
    await expect.poll(() => receiver.received.length).toBe(before + 2);
  },
  TEST_MS,
);

it(
  "after a rotation requests are signed with both secrets",
  async () => {
    await button("Rotate secret").click();
    await question().getByText("For 24 hours requests have two signatures").waitFor();
    await question().getByRole("button", { name: "Rotate secret" }).click();
    const rotated = await takeSecret();
    expect(rotated).not.toBe(secret);
    await page.getByText("Requests are signed with both secrets until").waitFor();
    await sendTest();
    const sent = receiver.received.at(-1);
    for (const each of [secret, rotated]) await webhooks.verify(sent?.body ?? "", sent?.headers ?? {}, each);
  },
  TEST_MS,
);

it(
  "a disabled webhook receives nothing until it is enabled",
  async () => {
    await button("Disable").click();
    await question().getByRole("button", { name: "Disable webhook" }).click();
    await status().getByText("disabled", { exact: true }).waitFor();
    await page.getByText("Enable the webhook to send a test event.").waitFor();
    expect(await button("Send test event").isDisabled()).toBe(true);
    await button("Enable").click();
    await status().getByText("enabled", { exact: true }).waitFor();
    await button("Edit").click();
    const form = dialog(`Edit ${NAME}`);
    await form.getByLabel("Name").fill("Project sync");
    await form.getByLabel("All events (*)").check();
    await form.getByRole("button", { name: "Save webhook" }).click();
    await page.getByRole("heading", { name: "Project sync", level: 1 }).waitFor();
    await region(page, "Endpoint").getByText("*", { exact: true }).waitFor();
  },
  TEST_MS,
);

it(
  "events are listed with their kind, and shown as JSON",
  async () => {
    const address = page.url();
    await page.goto(`${server.url}/cloud/events?kind=webhook.*`);
    const events = page.getByRole("table", { name: "Events" });
    await events.getByRole("row", { name: /^webhook\.created/ }).waitFor();
    expect(await events.getByRole("row", { name: /^project\./ }).count()).toBe(0);
    await events
      .getByRole("row", { name: /^webhook\.created/ })
      .getByRole("button")
      .click();
    await dialog("Event").getByText('"type": "webhook.created"').waitFor();
    expect(await dialog("Event").textContent()).not.toContain("whsec_");
    expect(await flawsOfState(page)).toEqual([]);
    await page.goBack();
    await dialog("Event").waitFor({ state: "hidden" });
    await page.goto(address);
    await loaded();
  },
  TEST_MS,
);

it(
  "a deleted webhook is gone",
  async () => {
    await button("Delete webhook").click();
    await question().getByText("This cannot be undone.").waitFor();
    await question().getByRole("button", { name: "Delete webhook" }).click();
    await page.waitForURL(/\/cloud\/webhooks(\?|$)/);
    await page.getByRole("heading", { name: "No webhooks in live mode yet" }).waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);
