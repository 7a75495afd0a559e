import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import type { ChatBudget } from "../../../server/cloud/ai/ledger/chat-budget";
import type { ChatRequest } from "../../../server/cloud/ai/ledger/chat-request";
import { chatUpstream, chunksOf } from "../../factories/chat-upstream";
import { fileFolder } from "../../factories/file-folder";
import { sampled } from "../../factories/sampled";
import { waitFor } from "../../factories/wait-for";
import { makePlace, noProcessesOf, type ServerProcess, startProcess } from "./server-process";

const WORD_EVERY_MS = 20;
/** A stream of this many words goes on until its process is killed. */
const ENDLESS = 100_000;
const SHORT = 20;
const STREAMS = 6;

let server: ServerProcess;
const upstream = await chatUpstream();
upstream.script(async ({ body }, response) => {
  const { content = "" } = (body.messages as { content: string }[])[0] ?? {};
  response.writeHead(200, { "content-type": "text/event-stream" });
  const [role = "", word = "", end = ""] = chunksOf("word");
  response.write(role);
  for (let n = 0; n < Number(content) && !response.destroyed; n++) {
    response.write(word.replace('"word"', '" word"'));
    await new Promise((resolve) => setTimeout(resolve, WORD_EVERY_MS));
  }
  response.end(`${end}data: [DONE]\n\n`);
});
const dir = fileFolder("svc-chat-crash-");
const file = path.join(dir, "upstreams.json");
const models = [{ name: "slow", input_price: "2.50", output_price: "10" }];
writeFileSync(file, JSON.stringify({ upstreams: [{ id: "main", base_url: upstream.url, models }] }));
const place = { ...(await makePlace()), env: { CHAT_UPSTREAMS: file } };
server = await startProcess(place);
afterAll(async () => {
  await server?.stop();
  await upstream?.close();
  place?.remove();
}, 300_000);

async function call<T>(method: string, at: string, body?: object): Promise<T> {
  const response = await fetch(`${server.url}/v1/${at}`, {
    method,
    headers: { authorization: `Bearer ${server.keys.live}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${at} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const log = async () => (await call<{ data: ChatRequest[] }>("GET", "gateway/requests?limit=1000")).data;

/** A stream of so many words; resolves when it ends or breaks. */
async function stream(requestId: string, words: number): Promise<void> {
  const body = JSON.stringify({ model: "slow", stream: true, messages: [{ role: "user", content: String(words) }] });
  const authorization = `Bearer ${server.keys.live}`;
  const headers = { authorization, "content-type": "application/json", "x-request-id": requestId };
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body }).catch(
    () => undefined,
  );
  await response?.text().catch(() => undefined);
}

const countOf = async (round: string, holds: (row: ChatRequest) => boolean) =>
  (await log()).filter((row) => row.request_id.startsWith(round) && holds(row)).length;

/** The moments at which the process is killed, while six streams go on without end. */
const MOMENTS: Record<string, (round: string) => Promise<void>> = {
  begun: (round) => waitFor(async () => expect(await countOf(round, () => true)).toBe(STREAMS)),
  recorded: (round) =>
    waitFor(async () => expect(await countOf(round, ({ completion_tokens: tokens }) => tokens > 0)).toBe(STREAMS)),
  ending: async (round) => {
    for (let i = 0; i < STREAMS; i++) void stream(`${round}-short-${i}`, SHORT + i);
    await waitFor(async () => expect(await countOf(round, ({ status }) => status === "succeeded")).toBeGreaterThan(0));
  },
};

it("bills each request once after kill -9 in the middle of streams, and budgets are the sum of the log", async () => {
  const fields = { name: "all", amount_micros: 1_000_000_000, window: "month" };
  const { id } = await call<ChatBudget>("POST", "gateway/budgets", fields);
  for (const [round, moment] of sampled(Object.entries(MOMENTS), 2)) {
    for (let i = 0; i < STREAMS; i++) void stream(`${round}-${i}`, ENDLESS);
    await moment(round);
    await server.kill();
    await noProcessesOf(place);
    server = await startProcess(place);
  }
  const isPending = ({ status }: ChatRequest) => status === "pending";
  await waitFor(async () => expect((await log()).filter(isPending)).toEqual([]), { timeout: 120_000, interval: 500 });
  const rows = await log();
  expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(upstream.requests.length);
  const cancelled = rows.filter(({ status }) => status === "cancelled");
  expect(cancelled.length).toBeGreaterThanOrEqual(2 * STREAMS);
  expect(cancelled.every(({ estimated }) => estimated)).toBe(true);
  expect(cancelled.filter(({ cost_micros }) => cost_micros > 0).length).toBeGreaterThanOrEqual(STREAMS);
  const budget = await call<ChatBudget>("GET", `gateway/budgets/${id}`);
  const sum = (of: (row: ChatRequest) => number) => rows.reduce((total, row) => total + of(row), 0);
  expect(budget.spent.tokens).toBe(sum((row) => row.prompt_tokens + row.completion_tokens));
  expect(budget.spent.amount_micros).toBeCloseTo(
    sum((row) => row.cost_micros),
    3,
  );
  expect(budget.reserved).toEqual({ amount_micros: 0, tokens: 0 });
}, 400_000);
