import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import type { ChatRequest } from "../../../server/cloud/ai/ledger/chat-request";
import type { ChatStep } from "../../../server/cloud/ai/ledger/steps";
import { chatUpstream, chunksOf } from "../../factories/chat-upstream";
import { fileFolder } from "../../factories/file-folder";
import { sampled } from "../../factories/sampled";
import { waitFor } from "../../factories/wait-for";
import { makePlace, type ServerProcess, startProcess } from "./server-process";

const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
/** In micros: 9 tokens at 2.50 and 3 at 10 per million. */
const COST = 52.5;
const WAVE = 12;

let server: ServerProcess;
/** Set where the upstream itself decides about the moment. */
let onUpstream: ((at: "asked" | "word") => Promise<void> | void) | undefined;

const upstream = await chatUpstream();
upstream.script(async ({ body }, response) => {
  await onUpstream?.("asked");
  if (!body.stream) {
    const message = { role: "assistant", content: "Hello there." };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    const answer = { id: "c", object: "chat.completion", created: 1, model: "m", choices, usage: USAGE };
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunksOf("Hello there.", USAGE)) {
    response.write(chunk);
    await onUpstream?.("word");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  response.end("data: [DONE]\n\n");
});
const dir = fileFolder("svc-chat-journal-");
const file = path.join(dir, "upstreams.json");
const models = [{ name: "m", input_price: "2.50", output_price: "10" }];
writeFileSync(file, JSON.stringify({ upstreams: [{ id: "main", base_url: upstream.url, models }] }));
const place = { ...(await makePlace()), env: { CHAT_UPSTREAMS: file } };
server = await startProcess(place);
afterAll(async () => {
  await server?.stop();
  await upstream?.close();
  place?.remove();
}, 300_000);

async function log(): Promise<ChatRequest[]> {
  const headers = { authorization: `Bearer ${server.keys.live}` };
  const response = await fetch(`${server.url}/v1/gateway/requests?limit=1000`, { headers });
  return ((await response.json()) as { data: ChatRequest[] }).data;
}

/** What a client has seen of its answer. */
type Seen = "nothing" | "a part" | "all";

/** Sends a request without a budget; resolves when the answer has ended or broken off. */
async function ask(requestId: string, stream: boolean, leaveAfterFirstByte = false): Promise<Seen> {
  const leaving = new AbortController();
  let seen = "";
  try {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.keys.live}`,
        "content-type": "application/json",
        "x-request-id": requestId,
      },
      body: JSON.stringify({ model: "m", stream, messages: [{ role: "user", content: "Hello" }] }),
      signal: leaving.signal,
    });
    if (response.status !== 200) return "nothing";
    for await (const chunk of response.body ?? []) {
      seen += Buffer.from(chunk).toString("utf8");
      if (leaveAfterFirstByte) leaving.abort();
    }
  } catch {
    // The process was killed, or the client has left.
  }
  if (seen === "") return "nothing";
  return !stream || seen.includes("[DONE]") ? "all" : "a part";
}

/** Each half whole answers and streams; the first ones have the payer known as one that nothing limits. */
async function wave(round: string): Promise<Map<string, Seen>> {
  const ids = Array.from({ length: WAVE }, (_, i) => `${round}-${i}`);
  const all = ids.map(async (id, i) => [id, await ask(id, i % 2 === 1)] as const);
  return new Map(await Promise.all(all));
}

async function restart(): Promise<void> {
  expect(await server.ended).toBe("SIGKILL");
  server = await startProcess(place);
}

async function expectBilled(seen: ReadonlyMap<string, Seen>): Promise<void> {
  const isPending = ({ status }: ChatRequest) => status === "pending";
  await waitFor(async () => expect((await log()).filter(isPending)).toEqual([]), { timeout: 60_000, interval: 200 });
  const rows = await log();
  for (const [id, what] of seen) {
    const [row, ...others] = rows.filter(({ request_id }) => request_id === id);
    expect(others, `${id} is billed once`).toEqual([]);
    if (what === "all") expect(row, id).toMatchObject({ status: "succeeded", cost_micros: COST, estimated: false });
    if (what === "a part") expect(row?.cost_micros, id).toBeGreaterThan(0);
  }
}

/** Each with the passage at which the process is killed: some of a wave are before it and some after. */
const STEPS: [ChatStep, number][] = [
  ["chat.begin_recorded", 5],
  ["chat.begun", 5],
  ["chat.answer_recorded", 3],
  ["chat.outcome_recorded", 5],
  ["chat.finished", 2],
  ["chat.flushed", 4],
];

it.each(sampled(STEPS, 3))(
  "bills once what clients without a budget have seen, killed at %s",
  async (step, passes) => {
    await ask(`${step}-first`, false);
    await server.trap(step, passes);
    const seen = await wave(step);
    // A wave may end in fewer passes.
    while (server.child.exitCode === null && server.child.signalCode === null)
      for (const [id, what] of await wave(`${step}-more-${seen.size}`)) seen.set(id, what);
    await restart();
    await expectBilled(seen);
  },
  300_000,
);

it("has a row for each request that the upstream got, killed as soon as it has it", async () => {
  await ask("asked-first", false);
  const before = upstream.requests.length;
  onUpstream = async (at) => {
    if (at === "asked" && upstream.requests.length >= before + 3) await server.kill();
  };
  const seen = await wave("asked");
  onUpstream = undefined;
  const asked = upstream.requests.length - before;
  await restart();
  await expectBilled(seen);
  const rows = (await log()).filter(({ request_id }) => /^asked-\d/.test(request_id));
  expect(rows.length).toBeGreaterThanOrEqual(asked);
}, 300_000);

it("bills once a client that has left in the middle of a stream, with and without a kill while the rest is read", async () => {
  /** Holds the stream after its second chunk until the returned function is called. */
  const hold = (): (() => void) => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let chunks = 0;
    onUpstream = (at) => (at === "word" && ++chunks === 2 ? held : undefined);
    return goOn;
  };
  const finish = hold();
  expect(await ask("left", true, true)).toBe("a part");
  finish();
  const billed = async () => (await log()).filter(({ request_id }) => request_id === "left");
  await waitFor(async () => expect(await billed()).toMatchObject([{ cost_micros: COST, estimated: false }]));
  const goOn = hold();
  expect(await ask("left-killed", true, true)).toBe("a part");
  await server.kill();
  goOn();
  onUpstream = undefined;
  await restart();
  await expectBilled(new Map([["left-killed", "a part"]]));
}, 300_000);
