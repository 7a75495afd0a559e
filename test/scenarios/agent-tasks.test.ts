import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasRedisServer } from "../contract/redis-server";
import { coreMessage, modernMessage, type Rpc, rpcIn } from "../factories/agent-messages";
import { eventually } from "../factories/app";
import { makePlace, noProcessesOf, type Place, type ServerProcess, startProcess } from "./crash/server-process";
import { startTwoServers, type TwoServers } from "./two-servers";

/** Tasks of a process that was killed have failed within 20 s. */
const LOST_WITHIN_MS = 60_000;
const WAIT_SECONDS = 20;

type Message = ReturnType<typeof coreMessage>;

async function post(server: ServerProcess, { headers, body }: Message): Promise<Rpc> {
  const authorization = `Bearer ${server.keys.live}`;
  const init = { method: "POST", headers: { ...headers, authorization }, body: JSON.stringify(body) };
  return rpcIn(await fetch(`${server.url}/v1/mcp`, init));
}

const core = (server: ServerProcess, method: string, params: object) => post(server, coreMessage(method, params));
const callTool = (server: ServerProcess, name: string, given: object) =>
  core(server, "tools/call", { name, arguments: given });

/** A task that waits for a message of a queue of its own. */
async function begin(server: ServerProcess, requestId = "req_task"): Promise<{ taskId: string; queue: string }> {
  const queue = `q-${randomUUID().slice(0, 8)}`;
  await callTool(server, "svc_queues_create", { name: queue });
  const given = { queue, wait_seconds: WAIT_SECONDS };
  const { headers, body } = coreMessage("tools/call", { name: "svc_queues_receive", arguments: given, task: {} });
  const { result, error } = await post(server, { headers: { ...headers, "x-request-id": requestId }, body });
  expect(error).toBeUndefined();
  return { taskId: result.task.taskId, queue };
}

/** A task that has ended with this message. */
async function endedWith(server: ServerProcess, message: string): Promise<string> {
  const { taskId, queue } = await begin(server);
  await callTool(server, "svc_queues_send", { queue, body: message });
  await hasEndedWith(server, taskId, message);
  return taskId;
}

async function hasEndedWith(server: ServerProcess, taskId: string, body: string): Promise<void> {
  const { result } = await core(server, "tasks/result", { taskId });
  expect(result).toMatchObject({ structuredContent: { data: [{ body }] } });
}

async function isLost(server: ServerProcess, taskId: string): Promise<void> {
  const { error } = await core(server, "tasks/result", { taskId });
  const message = expect.stringMatching(/^The process of svc that ran this task has ended/);
  expect(error).toMatchObject({ code: -32_603, message, data: { details: { reason: "task_lost" } } });
  expect((await core(server, "tasks/get", { taskId })).result).toMatchObject({ status: "failed" });
  expect((await post(server, modernMessage("tasks/get", { taskId }))).result).toMatchObject({
    status: "failed",
    error: { code: -32_603, message },
  });
}

describe("kill -9 of the server", () => {
  let place: Place;
  let server: ServerProcess;
  beforeAll(async () => {
    place = await makePlace();
    server = await startProcess(place);
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    place?.remove();
  }, 300_000);

  it("leaves the result of a task, and one that ran has failed", async () => {
    const ended = await endedWith(server, "kept");
    const { taskId } = await begin(server);
    await server.kill();
    await noProcessesOf(place);
    server = await startProcess(place);
    await hasEndedWith(server, ended, "kept");
    await isLost(server, taskId);
  }, 300_000);
});

describe.skipIf(!hasRedisServer())("two server processes of one installation", () => {
  let two: TwoServers;
  beforeAll(async () => {
    two = await startTwoServers();
  }, 300_000);
  afterAll(() => two?.close(), 300_000);

  it("see each other's tasks, wait for them and cancel them", async () => {
    const [here, there] = two.servers;
    const { taskId, queue } = await begin(here);
    expect((await core(there, "tasks/get", { taskId })).result).toMatchObject({ status: "working" });
    const waited = hasEndedWith(there, taskId, "seen by both");
    await callTool(there, "svc_queues_send", { queue, body: "seen by both" });
    await waited;
    const cancelled = (await begin(here)).taskId;
    expect((await core(there, "tasks/cancel", { taskId: cancelled })).result).toMatchObject({ status: "cancelled" });
    expect((await core(here, "tasks/get", { taskId: cancelled })).result).toMatchObject({ status: "cancelled" });
    const listed = (await core(there, "tasks/list", {})).result.tasks as { taskId: string; status: string }[];
    expect(listed.map((task) => [task.taskId, task.status])).toEqual([
      [cancelled, "cancelled"],
      [taskId, "completed"],
    ]);
  });

  it("abort a call that the other one has cancelled", async () => {
    const [here, there] = two.servers;
    const requestId = `req_${randomUUID()}`;
    const { taskId } = await begin(here, requestId);
    await core(there, "tasks/cancel", { taskId });
    const headers = { authorization: `Bearer ${here.keys.live}` };
    const recorded = async () => {
      const response = await fetch(`${here.url}/v1/usage/tool-calls`, { headers });
      const { data } = (await response.json()) as { data: { request_id: string; duration_ms: number }[] };
      return data.find(({ request_id }) => request_id === requestId);
    };
    await eventually(async () => (await recorded()) !== undefined);
    // It would have waited longer for a message.
    expect((await recorded())?.duration_ms).toBeLessThan(WAIT_SECONDS * 1000 - 1000);
  });

  // The last one: it leaves one process only.
  it("know that a task has failed whose process was killed, while its client waits", async () => {
    const [here, there] = two.servers;
    const ended = await endedWith(here, "kept");
    const { taskId } = await begin(here);
    const waited = isLost(there, taskId);
    const began = performance.now();
    await here.kill();
    await waited;
    const ms = Math.round(performance.now() - began);
    expect(ms).toBeLessThan(LOST_WITHIN_MS);
    process.stderr.write(`a task of a killed process has failed after ${ms} ms\n`);
    await hasEndedWith(there, ended, "kept");
  });
});
