import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileFolder } from "../../../../test/factories/file-folder";
import { buildThread } from "../../../build/build-thread.mjs";
import { OtlpThread } from "./otlp-thread";
import { parseLine } from "./telemetry-line";

const dir = fileFolder("svc-otlp-");
const workerFile = path.join(dir, "otlp-worker.mjs");
await buildThread({ name: "otlp-worker", outFile: workerFile });

const requestOf = (tenant: string, json: string) => ({
  signal: "log" as const,
  body: Buffer.from(json),
  owner: { tenant_id: tenant, rid: `res_${tenant}`, expires: 1 },
  now: new Date("2026-11-20T00:00:00Z"),
});
const small = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}, { severityNumber: 99 }] }] }] });
/** Takes a core a fifth of a second and more, in which nothing else runs in the same thread. */
const costly = `[${"{},".repeat(1_000_000)}{}]`;

describe("the thread that reads export requests", () => {
  it("returns the line of what is accepted, and the errors of what is none", async () => {
    const thread = new OtlpThread(workerFile);
    const parsed = await thread.parse(requestOf("a", small));
    expect(parsed).toMatchObject({ records: 1, refused: 1, message: expect.stringContaining("severityNumber") });
    expect(parseLine(parsed.line ?? "")).toMatchObject({ signal: "log", rid: "res_a", resources: [] });
    await expect(thread.parse(requestOf("a", "[]"))).rejects.toMatchObject({
      code: "invalid_request",
      param: "resourceLogs",
    });
    await expect(thread.parse(requestOf("a", "no JSON"))).rejects.toMatchObject({ code: "invalid_request" });
    await thread.close();
  });

  it("lets A's costly requests delay neither the process nor B's more than by one of them", async () => {
    const thread = new OtlpThread(workerFile);
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    const order: string[] = [];
    const end = (name: string) => () => order.push(name);
    const ofA = [1, 2, 3].map((n) => thread.parse(requestOf("a", costly)).catch(end(`a${n}`)));
    const ofB = thread.parse(requestOf("b", small)).then(end("b"));
    await Promise.all([...ofA, ofB]);
    clearInterval(ticking);
    expect(order).toEqual(["a1", "b", "a2", "a3"]);
    expect(turns).toBeGreaterThan(20);
    await thread.close();
  });

  it("refuses what A adds to four that wait, and nothing of B's", async () => {
    const thread = new OtlpThread(workerFile);
    const ofA = Array.from({ length: 5 }, () => thread.parse(requestOf("a", small)));
    await expect(thread.parse(requestOf("a", small))).rejects.toMatchObject({ code: "rate_limited" });
    for (const parsed of await Promise.all([...ofA, thread.parse(requestOf("b", small))]))
      expect(parsed).toMatchObject({ records: 1 });
    await thread.close();
  });

  it("refuses what takes too much memory or time, and goes on", async () => {
    for (const limits of [
      { heapMib: 32, requestMsMax: 60_000 },
      { heapMib: 512, requestMsMax: 1 },
    ]) {
      const thread = new OtlpThread(workerFile, limits);
      await expect(thread.parse(requestOf("a", costly))).rejects.toMatchObject({ code: "payload_too_large" });
      await thread.close();
    }
    const thread = new OtlpThread(workerFile, { heapMib: 32, requestMsMax: 60_000 });
    await expect(thread.parse(requestOf("a", costly))).rejects.toMatchObject({ code: "payload_too_large" });
    expect(await thread.parse(requestOf("b", small))).toMatchObject({ records: 1 });
    await thread.close();
  });
});
