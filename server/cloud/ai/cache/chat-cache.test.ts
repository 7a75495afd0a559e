import { randomBytes } from "node:crypto";
import pino from "pino";
import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { ManualClock } from "../../../kernel/clock";
import type { AdmittedCall, Completion, FinalResponse } from "../gateway/chat-stages";
import { createCacheStages } from "./create-cache-stages";
import { forgetCached } from "./forget-cached";

const database = await openForFile(testDatabase());

const clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
const log = pino({ level: "silent" });
const encryptionKey = randomBytes(32);

const stagesOf = (projectBytesMax?: number) =>
  createCacheStages({
    sql: database.sql,
    clock,
    log,
    encryptionKey,
    ...(projectBytesMax !== undefined && { projectBytesMax }),
  });

function callOf(projectId: string, content: string, more: object = {}): AdmittedCall {
  return {
    payer: { tenantId: "ten_1", projectId, mode: "live", keyId: "key_1" },
    body: { model: "m", messages: [{ role: "user", content }], svc_cache: { seconds: 600 }, ...more },
    entry: { id: "chr_1", storesBodies: false, settings: { storesBodies: false, cacheSeconds: 0 } },
  } as unknown as AdmittedCall;
}

function answerOf(content: string, more: Partial<FinalResponse> = {}, finish_reason = "stop"): FinalResponse {
  const completion: Completion = {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }],
  };
  const usage = { promptTokens: 1, completionTokens: 1, isEstimated: false };
  return {
    completion,
    text: content,
    usage,
    isCached: false,
    isSimulated: false,
    isComplete: true,
    isDelivered: true,
    ...more,
  };
}

async function answer(stages: ReturnType<typeof stagesOf>, call: AdmittedCall, given: FinalResponse): Promise<unknown> {
  const hit = await stages.prompt.prepare(call);
  if (!hit) await stages.answer.see(call, given);
  return hit?.completion.choices[0]?.message.content;
}

it("answers the same request whatever the order of its fields and whether it streams", async () => {
  const stages = stagesOf();
  expect(await answer(stages, callOf("prj_a", "q", { temperature: 0, seed: 1 }), answerOf("first"))).toBeUndefined();
  const others = [
    callOf("prj_a", "q", { seed: 1, temperature: 0 }),
    callOf("prj_a", "q", { temperature: 0, seed: 1, stream: true, stream_options: { include_usage: true } }),
  ];
  for (const call of others) expect(await answer(stages, call, answerOf("second"))).toBe("first");
  const different = [
    callOf("prj_a", "q", { temperature: 0, seed: 2 }),
    callOf("prj_b", "q", { temperature: 0, seed: 1 }),
    callOf("prj_a", "q", { temperature: 0, seed: 1, svc_cache: false }),
  ];
  for (const call of different) expect(await answer(stages, call, answerOf("second"))).toBeUndefined();
});

it("stores answers for one project and mode alone, so that no tenant finds what another asked", async () => {
  const stages = stagesOf();
  const callBy = (payer: object) => Object.assign(callOf("prj_first", "q"), { payer });
  const first = { tenantId: "ten_first", projectId: "prj_first", mode: "live", keyId: "key_1" };
  await answer(stages, callBy(first), answerOf("of the first"));
  const others = [
    { ...first, tenantId: "ten_second", projectId: "prj_second" },
    { ...first, projectId: "prj_third" },
    { ...first, mode: "test" },
  ];
  for (const payer of others) expect(await answer(stages, callBy(payer), answerOf("own"))).toBeUndefined();
  expect(await answer(stages, callBy(first), answerOf("own"))).toBe("of the first");
});

it.each([
  ["a stream that broke off", answerOf("x", { isComplete: false })],
  ["an answer that was filtered", answerOf("x", {}, "content_filter")],
  ["an answer without choices", { ...answerOf("x"), completion: { ...answerOf("x").completion, choices: [] } }],
  ["an answer that is too large", answerOf("x".repeat(600_000))],
])("does not store %s", async (name, given) => {
  const stages = stagesOf();
  await answer(stages, callOf("prj_c", name), given);
  expect(await answer(stages, callOf("prj_c", name), given)).toBeUndefined();
});

it("does not use answers to prompts of one request alone", async () => {
  const stages = stagesOf();
  const call = () => Object.assign(callOf("prj_own", "q"), { hasOwnPrompt: true });
  await answer(stages, call(), answerOf("x"));
  expect(await answer(stages, call(), answerOf("x"))).toBeUndefined();
});

it("is bounded in bytes per project: what was not used for longest goes first", async () => {
  const stages = stagesOf(10_000);
  const text = "x".repeat(1000);
  const ask = (content: string) => answer(stages, callOf("prj_lru", content), answerOf(text));
  for (const content of ["1", "2", "3", "4"]) {
    await ask(content);
    clock.advance(61_000);
  }
  expect(await ask("1")).toBe(text);
  clock.advance(61_000);
  for (const content of ["5", "6"]) {
    await ask(content);
    clock.advance(1000);
  }
  expect([await ask("1"), await ask("2")]).toEqual([text, undefined]);
  const { rows } = await database.sql.query(
    "SELECT sum(bytes)::int AS bytes FROM chat_cache WHERE project_id = 'prj_lru'",
  );
  expect(rows[0].bytes).toBeLessThanOrEqual(10_000);
});

it("forgets what has expired, and what is beyond the bound of the installation", async () => {
  const stages = stagesOf();
  await database.sql.query("DELETE FROM chat_cache");
  await answer(stages, callOf("prj_x", "old", { svc_cache: { seconds: 1 } }), answerOf("x"));
  clock.advance(2000);
  for (const project of ["prj_x", "prj_y"]) {
    await answer(stages, callOf(project, "new"), answerOf("y".repeat(1000)));
    clock.advance(1000);
  }
  await forgetCached({ sql: database.sql, clock }, 3000);
  const { rows } = await database.sql.query("SELECT project_id FROM chat_cache");
  expect(rows).toEqual([{ project_id: "prj_y" }]);
});
