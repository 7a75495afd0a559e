import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownTenant } from "../factories/shared-server";
import { fieldState, visitDashboard } from "./campaign-visit";
import { region } from "./dashboard-visit";
import { flawsOfState } from "./look";
import { stepsInOrder } from "./steps-in-order";

const HOSTILE = `<img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`;
const TEST_MS = 300_000;

const server = await ownTenant();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;
stepsInOrder();

const dialog = () => page.getByRole("dialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });
/** An empty list has the button a second time. */
const newQueue = () => page.locator("header").getByRole("button", { name: "Create queue" });
const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}\\b(?!-)`) });
const messages = () => page.getByRole("list", { name: "Oldest messages" });

/** The figure on the queue's page, which loads it again every few seconds. */
const figure = (label: string) =>
  region(page, "Messages now")
    .locator("div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator("dd")
    .first();
const shows = (label: string, text: string) => expect.poll(() => figure(label).textContent()).toBe(text);

async function open(name: string, tab?: "Messages" | "Settings"): Promise<void> {
  await page.goto(`${server.url}/cloud/queues?mode=live`);
  await page.getByRole("rowheader").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  if (tab) await page.getByRole("tab", { name: tab }).click();
}

interface Received {
  data: { receipt: string; body: unknown; receive_count: number }[];
}

/** What a consumer does. */
async function call<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${server.url}/v1/queues/${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${server.demo.api.live_key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

async function receive(): Promise<Received["data"][number]> {
  const { data } = await call<Received>("jobs/receive?wait_seconds=10");
  const [message] = data;
  if (!message) throw new Error("There is no message.");
  return message;
}

/** Looks at a state of a page that only this flow comes to: messages, a dead-letter queue and a refused deletion. */
const examine = async (name: string) => expect([name, await flawsOfState(page)]).toEqual([name, []]);

async function create(name: string, dlq?: string): Promise<void> {
  await dialog().getByLabel("Name").fill(name);
  if (dlq) {
    await dialog().getByLabel("Dead-letter queue").selectOption(dlq);
    await dialog().getByLabel("Max receives").fill("2");
  }
  await dialog().getByRole("button", { name: "Create queue" }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

it(
  "an empty list says what a queue is; what is wrong with a new queue is said beside its field",
  async () => {
    await page.goto(`${server.url}/cloud/queues?mode=live`);
    await page.getByRole("heading", { name: "No queues in live mode yet" }).waitFor();
    await newQueue().click();
    await dialog().getByLabel("Name").fill("no spaces");
    await dialog().getByRole("button", { name: "Create queue" }).click();
    await expect.poll(() => fieldState(page, "Name")).toMatchObject({ invalid: "true", focused: true });
    await dialog().getByLabel("Visibility timeout", { exact: true }).fill("13");
    await dialog().getByLabel("Unit of visibility timeout").selectOption("hours");
    await dialog().getByRole("button", { name: "Create queue" }).click();
    await dialog().getByText("Enter at most 12 hours.").waitFor();
    await dialog().getByLabel("Visibility timeout", { exact: true }).fill("12");
    await create("jobs-failed");
    await page.goto(`${server.url}/cloud/queues?mode=live`);
    await newQueue().click();
    await create("jobs", "jobs-failed");
    await region(page, "Messages now").getByRole("link", { name: "jobs-failed" }).waitFor();
  },
  TEST_MS,
);

it(
  "messages are sent and looked at; hostile text is text",
  async () => {
    await open("jobs", "Messages");
    await page.getByRole("heading", { name: "The queue is empty" }).waitFor();
    await page.getByLabel("Body").fill("{");
    await button("Send message").click();
    await page.getByText("This is not JSON").waitFor();
    await page.getByLabel("Body").fill(JSON.stringify({ note: HOSTILE, n: 1 }));
    await button("Send message").click();
    await page.getByText("Sent. Its ID is msg_").waitFor();
    await page.getByLabel("Format").selectOption("text");
    await page.getByLabel("Body").fill(HOSTILE);
    await page.getByText("Group, delay and deduplication").click();
    await page.getByLabel("Group").fill(HOSTILE);
    await page.getByLabel("Deduplication ID").fill("once");
    await button("Send message").click();
    await expect.poll(() => messages().getByRole("listitem").count()).toBe(2);
    await button("Send message").click();
    await page.getByText("Not stored again").waitFor();
    await expect.poll(() => messages().getByRole("listitem").count()).toBe(2);
    for (const summary of await messages().locator("summary").all()) await summary.click();
    await expect.poll(() => messages().locator("pre").count()).toBe(2);
    const [json, text] = await messages().locator("pre").allTextContents();
    expect(JSON.parse(json ?? "")).toEqual({ note: HOSTILE, n: 1 });
    expect(text).toBe(HOSTILE);
    expect(await messages().locator("img, script").count()).toBe(0);
    expect(await page.title()).not.toContain("pwned");
    await examine("messages");
  },
  TEST_MS,
);

it(
  "what a program receives is in flight, and what it acknowledges is gone; both are in the history",
  async () => {
    await page.getByRole("tab", { name: "Overview" }).click();
    await shows("Waiting", "2");
    const first = await receive();
    expect(first.body).toEqual({ note: HOSTILE, n: 1 });
    await shows("In flight", "1");
    await shows("Waiting", "1");
    await call("jobs/acknowledge", { receipt: first.receipt });
    await shows("In flight", "0");
    await page.getByText("Figures by minute").click();
    const perMinute = page.getByRole("table", { name: "Messages per minute" }).locator("tbody tr");
    const sumOf = (column: number) =>
      perMinute.evaluateAll(
        (rows, at) => rows.reduce((sum, each) => sum + Number(each.querySelectorAll("td")[at]?.textContent), 0),
        column,
      );
    // Waiting, in flight and delayed come before sent, received and acknowledged.
    await expect
      .poll(async () => [await sumOf(3), await sumOf(4), await sumOf(5)], { timeout: 60_000 })
      .toEqual([2, 1, 1]);
    await page.goto(`${server.url}/cloud/queues?mode=live`);
    await expect.poll(() => row("jobs").getByRole("cell").first().textContent()).toBe("1");
  },
  TEST_MS,
);

it(
  "a message that fails twice comes to the dead-letter queue, from where it is moved back",
  async () => {
    for (const count of [1, 2]) {
      const { receipt, receive_count } = await receive();
      expect(receive_count).toBe(count);
      await call("jobs/return", { receipt });
    }
    expect((await call<Received>("jobs/receive")).data).toEqual([]);
    await open("jobs-failed");
    await shows("Waiting", "1");
    const dlq = region(page, "Dead-letter queue");
    await dlq.getByText("Messages arrive here from jobs (after 2 receives)").waitFor();
    await examine("dlq");
    await dlq.getByRole("button", { name: "Move 1 message back" }).click();
    await dlq.getByText("Moved 1 of 1 message to jobs.").waitFor();
    await shows("Waiting", "0");
    await open("jobs");
    await shows("Waiting", "1");
  },
  TEST_MS,
);

it(
  "settings are saved; messages and queues are deleted after their name was typed",
  async () => {
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByLabel("Max receives").fill("3");
    await button("Save changes").click();
    await page.getByText("Queue saved.").waitFor();
    await button("Delete all messages").click();
    const confirm = dialog().getByRole("button", { name: "Delete all messages" });
    await confirm.click();
    await dialog().getByText("Type jobs to confirm.").waitFor();
    await examine("purge");
    await dialog().getByRole("textbox").fill("jobs");
    await confirm.click();
    await dialog().waitFor({ state: "hidden" });
    await page.getByRole("tab", { name: "Overview" }).click();
    await shows("Waiting", "0");
    await region(page, "Messages now").getByText("after 3 receives").waitFor();

    await open("jobs-failed", "Settings");
    await page.getByText("It cannot be deleted while it is the dead-letter queue of jobs.").waitFor();
    for (const name of ["jobs", "jobs-failed"]) {
      await open(name, "Settings");
      await button("Delete queue").click();
      await dialog().getByRole("textbox").fill(name);
      await dialog().getByRole("button", { name: "Delete queue" }).click();
      await page.waitForURL(/\/cloud\/queues$/);
      await row(name).waitFor({ state: "detached" });
    }
    await page.getByRole("heading", { name: "No queues in live mode yet" }).waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);
