import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Route } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownTenant } from "../factories/shared-server";
import { rowsOf, visitDashboard } from "./campaign-visit";
import { flawsOfState } from "./look";
import { stepsInOrder } from "./steps-in-order";

const HOSTILE = `<img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`;
const STREAM = "**/api/trpc/createChatCompletion**";
const TEST_MS = 300_000;

/** Answers that the upstream has begun. */
const begun: ServerResponse[] = [];

/** Begins each answer with two parts and leaves it open. */
const startUpstream = async (): Promise<Server> => {
  const started = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(partOf("Hel"));
    response.write(partOf("lo"));
    begun.push(response);
  });
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return started;
};

const partOf = (content: string, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;

const upstream = await openForFile(startUpstream());
const server = await ownTenant();
const visit = await visitDashboard(server);
const page = visit.page;
afterAll(async () => {
  await visit?.context.close();
  upstream?.closeAllConnections();
});
stepsInOrder();

const dialog = () => page.getByRole("dialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const answers = (model: number) => page.getByRole("list", { name: `Conversation with model ${model}` });
const message = () => page.getByLabel("Message", { exact: true });

const open = (path: string, mode = "test") => page.goto(`${server.url}/cloud/chat${path}?mode=${mode}`);

/** Looks at a state of a page that only this flow comes to: a conversation, a request, budgets and upstreams. */
const examine = async (name: string) => expect([name, await flawsOfState(page)]).toEqual([name, []]);

it(
  "pages without requests and budgets say so",
  async () => {
    await open("/requests");
    await page.getByRole("heading", { name: "No chat requests in test mode yet" }).waitFor();
    await open("/usage");
    await page.getByRole("heading", { name: "No requests in the last 24 hours" }).waitFor();
    await open("/budgets");
    await page.getByRole("heading", { name: "No budgets in test mode yet" }).waitFor();
  },
  TEST_MS,
);

it(
  "the playground answers in two columns, as text; the keyboard sends",
  async () => {
    await open("");
    await page.getByLabel("Model 1", { exact: true }).selectOption("svc-echo");
    await page.getByLabel("System prompt").fill("Repeat what I say.");
    await button("Add a model").click();
    await page.getByLabel("Model 2", { exact: true }).waitFor();
    expect(await button("Send").isDisabled()).toBe(true);
    await message().fill(HOSTILE);
    await message().press("Control+Enter");
    for (const model of [1, 2]) {
      const item = answers(model).getByRole("listitem");
      await expect.poll(() => item.locator("p").nth(1).textContent()).toBe(HOSTILE);
      await item.getByText("simulated").waitFor();
      await item.getByText(/\d+ \+ \d+ tokens? · /).waitFor();
    }
    await button("Send").waitFor();
    expect(await answers(1).locator("img, script").count()).toBe(0);
    expect(await page.title()).not.toContain("pwned");
    await message().fill("second");
    await button("Send").click();
    await expect.poll(() => answers(2).getByRole("listitem").last().locator("p").nth(1).textContent()).toBe("second");
    await examine("playground");
  },
  TEST_MS,
);

it(
  "an answer that does not come is stopped; one that fails says so in its column, and the next goes on",
  async () => {
    await button("Remove model 2").click();
    const held: Route[] = [];
    await page.route(STREAM, (route) => void held.push(route));
    await message().fill("wait");
    await button("Send").click();
    await expect.poll(() => held.length).toBe(1);
    await button("Stop").click();
    await answers(1).getByText("stopped").waitFor();
    // Otherwise it could go on to the server when it is no longer held.
    await held[0]?.abort().catch(() => undefined);
    await page.unroute(STREAM);
    await page.route(STREAM, (route) => route.abort());
    await message().fill("lost");
    await button("Send").click();
    await answers(1).getByRole("alert").waitFor();
    await page.unroute(STREAM);
    await message().fill("third");
    await button("Send").click();
    await expect.poll(() => answers(1).getByRole("listitem").last().locator("p").nth(1).textContent()).toBe("third");
    await button("Clear conversation").click();
    await page.getByText("Answers appear here.").waitFor();
  },
  TEST_MS,
);

it(
  "settings store bodies; the log has every request, with what was said",
  async () => {
    await open("/settings");
    await page.getByLabel("Store what requests and answers say").check();
    await button("Save settings").click();
    await page.getByText("Settings saved.").waitFor();
    await open("");
    await message().fill(`kept ${HOSTILE}`);
    await button("Send").click();
    await answers(1).getByText("simulated").waitFor();
    await open("/requests");
    // Two columns with two messages each, the third one and the kept one.
    await expect.poll(async () => (await rowsOf(page, "Chat requests")).length, { timeout: 30_000 }).toBe(6);
    await page.getByLabel("Status", { exact: true }).selectOption("failed");
    await page.getByRole("heading", { name: "No matching chat requests" }).waitFor();
    await button("Clear filters").click();
    await page.getByRole("rowheader").first().getByRole("button").click();
    await dialog().getByText("none (the playground)").waitFor();
    await expect.poll(() => dialog().locator("pre").first().textContent()).toContain("kept <img");
    await examine("request");
    await page.keyboard.press("Escape");
    await open("/usage");
    await page.getByText("Figures by hour").click();
    await expect
      .poll(async () => (await rowsOf(page, "Chat usage per hour")).reduce((sum, row) => sum + Number(row[1]), 0))
      .toBe(6);
  },
  TEST_MS,
);

it(
  "a budget is created, refuses what does not fit, is changed and deleted",
  async () => {
    await open("/budgets");
    await button("Create budget").click();
    await dialog().getByLabel("Name").fill("Trial");
    await dialog().getByRole("button", { name: "Create budget" }).click();
    await dialog().getByText("a budget needs amount").waitFor();
    await examine("create budget");
    await dialog().getByLabel("Limit in tokens").fill("1");
    await dialog().getByRole("button", { name: "Create budget" }).click();
    await dialog().waitFor({ state: "detached" });
    await page.getByText("0 of 1 tokens").waitFor();
    await examine("budgets");
    await open("");
    await message().fill("too much");
    await button("Send").click();
    await answers(1).getByRole("alert").getByText("Trial").waitFor();
    await open("/budgets");
    await button("Actions for Trial").click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog().getByLabel("Limit in tokens").fill("5000");
    await dialog().getByRole("button", { name: "Save budget" }).click();
    await page.getByText("0 of 5,000 tokens").waitFor();
    await button("Actions for Trial").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete budget" }).click();
    await page.getByRole("heading", { name: "No budgets in test mode yet" }).waitFor();
  },
  TEST_MS,
);

it(
  "an upstream is added and changed",
  async () => {
    await open("/settings", "live");
    await button("Add upstream").click();
    await dialog().getByLabel("Name", { exact: true }).fill("vendor");
    await dialog()
      .getByLabel("Base URL")
      .fill(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`);
    await dialog().getByLabel("Models").fill("small 0.15");
    await dialog().getByRole("button", { name: "Add upstream" }).click();
    await dialog().getByText("Write small alone or with two prices").waitFor();
    await dialog().getByLabel("Models").fill("small 0.15 0.60");
    await dialog().getByRole("button", { name: "Add upstream" }).click();
    await dialog().waitFor({ state: "detached" });
    await examine("upstreams");
    await button("Actions for vendor").click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog().getByLabel("Models").fill("small 0.15 0.60\nlarge 2.50 10");
    await dialog().getByRole("button", { name: "Save upstream" }).click();
    await page.getByRole("cell", { name: "small, large" }).waitFor();
  },
  TEST_MS,
);

it(
  "an answer is shown while it arrives, and can be stopped in the middle",
  async () => {
    await open("", "live");
    await page.getByLabel("Model 1", { exact: true }).selectOption("small");
    await message().fill("Hi");
    await button("Send").click();
    await answers(1).getByText("Hello", { exact: true }).waitFor();
    await answers(1).getByText("Answering…").waitFor();
    begun[0]?.write(partOf(" there"));
    await answers(1).getByText("Hello there", { exact: true }).waitFor();
    await button("Stop").click();
    await answers(1).getByText("stopped").waitFor();
    await answers(1).getByText("Hello there", { exact: true }).waitFor();
    // What is left is read up to some megabytes, to bill it; then the upstream's connection is closed.
    const writing = setInterval(() => begun[0]?.write(`: ${"x".repeat(65_536)}\n\n`), 20);
    begun[0]?.on("close", () => clearInterval(writing));
    await open("/requests", "live");
    await expect
      .poll(async () => (await rowsOf(page, "Chat requests")).map((row) => row[2]), { timeout: 30_000 })
      .toEqual(["cancelled"]);
  },
  TEST_MS,
);

it(
  "an upstream is deleted",
  async () => {
    await open("/settings", "live");
    await button("Actions for vendor").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete upstream" }).click();
    await page.getByRole("heading", { name: "No upstreams in live mode yet" }).waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);
