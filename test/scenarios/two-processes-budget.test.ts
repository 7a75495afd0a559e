import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasRedisServer } from "../contract/redis-server";
import { answers, type ChatUpstream, chatUpstream } from "../factories/chat-upstream";
import { ask, startTwoServers, type TwoServers } from "./two-servers";

const ROUNDS = 12;
const QUESTION = { model: "m", messages: [{ role: "user", content: "Hello" }] };

describe.skipIf(!hasRedisServer())("two server processes of one installation", () => {
  let two: TwoServers;
  let upstream: ChatUpstream;
  let dir: string;
  beforeAll(async () => {
    upstream = await chatUpstream();
    upstream.script(answers());
    dir = mkdtempSync(path.join(os.tmpdir(), "svc-chat-two-"));
    const file = path.join(dir, "upstreams.json");
    const models = [{ name: "m", input_price: "1", output_price: "1" }];
    writeFileSync(file, JSON.stringify({ upstreams: [{ id: "main", base_url: upstream.url, models }] }));
    two = await startTwoServers({ CHAT_UPSTREAMS: file });
  }, 300_000);
  afterAll(async () => {
    await two?.close();
    await upstream?.close();
    rmSync(dir, { recursive: true, force: true });
  }, 300_000);

  it("obey a budget that the other one has created in the next request, before the upstream is asked", async () => {
    const [here, there] = two.servers;
    const key = here.keys.live;
    const chat = () => ask(there, "/v1/chat/completions", { key, body: QUESTION });
    const isPlain = async () => (await chat()).status === 200 && (await chat()).status === 200;
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      expect(await isPlain()).toBe(true);
      const fields = { name: `round ${round}`, tokens: 1, window: "month" };
      const made = await ask(here, "/v1/gateway/budgets", { key, body: fields });
      expect(made.status, made.text).toBe(201);
      took.push(made.answeredAt - made.sentAt);
      const asked = upstream.requests.length;
      const refused = await chat();
      expect(refused.status, refused.text).toBe(429);
      expect(upstream.requests.length).toBe(asked);
      const url = `${here.url}/v1/gateway/budgets/${JSON.parse(made.text).id}`;
      const deleted = await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${key}` } });
      expect(deleted.status).toBe(204);
    }
    process.stderr.write(`a budget is obeyed after ${took.map((ms) => ms.toFixed(0)).join(", ")} ms\n`);
  });

  // The last one: it leaves one process only.
  it("obey it though one of them was killed and cannot confirm it", async () => {
    const [here, there] = two.servers;
    const key = here.keys.live;
    await here.kill();
    const fields = { name: "alone", tokens: 1, window: "month" };
    const made = await ask(there, "/v1/gateway/budgets", { key, body: fields });
    expect(made.status, made.text).toBe(201);
    expect((await ask(there, "/v1/chat/completions", { key, body: QUESTION })).status).toBe(429);
  });
});
