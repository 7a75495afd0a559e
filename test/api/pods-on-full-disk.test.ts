import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { eventually } from "../factories/app";
import { manage } from "../factories/calls";
import { type PodScene, podScene } from "../factories/pod-scene";
import { canLimitWorkloads } from "../factories/workload-node";

const MIB = 1024 ** 2;
/** Of 5 GiB, of which svc keeps 512 MiB. */
let freeMib = 4000;
const spaceOf = async () => ({ bsize: MIB, blocks: 5120, bfree: freeMib, bavail: freeMib });
const scene = await podScene({ spaceOf });
const missing = typeof scene === "string" ? scene : canLimitWorkloads() ? undefined : "no disks of limited size here";
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;
const sh = (script: string) => ["/bin/sh", "-c", script];

describe.skipIf(missing !== undefined)(`A's pod fills the disk${skipped}`, () => {
  const { test, shell, client: newClient, close } = scene as PodScene;
  afterAll(() => close());

  it("A's pod is paused, its timeline says so, and it can be stopped; B's pod goes on", async () => {
    const [a, b] = [await newClient(), await newClient()];
    const quiet = await b.create({ image: shell, command: sh("while :; do echo on; sleep 0.05; done") });
    const loud = await a.create({
      image: shell,
      command: sh("echo up; i=0; while :; do i=$((i+1)); cat /bin/* > /f$i; done"),
    });
    await a.until(loud.id, "ready");
    await b.until(quiet.id, "ready");
    await a.said(loud.id, "up");
    // What the node has for pods is known to placing.
    const { diskMb } = await test.app.cloud.db.podNode.findFirstOrThrow();
    expect(diskMb).toBeGreaterThan(0);
    freeMib = 250;
    const types = async () =>
      (await a.call<{ data: { type: string }[] }>(`/${loud.id}/events`)).body.data.map(({ type }) => type);
    await eventually(async () => (await types()).includes("paused"));
    const before = (await b.logs(quiet.id)).length;
    await eventually(async () => (await b.logs(quiet.id)).length > before);
    freeMib = 4000;
    await eventually(async () => (await types()).includes("resumed"));
    freeMib = 250;
    await eventually(async () => (await types()).filter((type) => type === "paused").length === 2);
    await a.call(`/${loud.id}/stop`, { method: "POST" });
    expect(await a.until(loud.id, "stopped")).toMatchObject({ exit: { signal: "SIGKILL" } });
    freeMib = 4000;
  });

  it("counts toward what A stores: A is refused more pods at its limit, reads and deletes, and B goes on", async () => {
    const [a, b] = [await newClient(), await newClient()];
    const limit = 8 * MIB;
    for (const { tenantId } of [a, b])
      await setQuota(test.app.account, { tenant_id: tenantId, resource: "stored_bytes", limit });
    const filling = "i=0; while [ $i -lt 40 ]; do cat /bin/*; i=$((i+1)); done > /file; echo full";
    const waiting = 'trap "exit 0" TERM; while :; do sleep 0.05; done';
    const { id } = await a.create({ image: shell, command: sh(`${filling}; ${waiting}`) });
    await a.said(id, "full");
    const dir = (await readdir(test.config.dataDir, { recursive: true })).find((file) => file.endsWith(`${id}-1/data`));
    await promisify(execFile)("sync", ["-f", path.join(test.config.dataDir, dir ?? "")]);
    const ends = { image: shell, command: sh("exit 0") };
    let refused = await a.call("", { body: ends });
    await eventually(async () => {
      if (refused.status === 429) return true;
      await a.call(`/${refused.body.id}`, { method: "DELETE" });
      refused = await a.call("", { body: ends });
      return refused.status === 429;
    });
    expect(refused.body.error).toMatchObject({
      code: "quota_exceeded",
      message: expect.stringMatching(/pods take .* \(delete pods/),
      details: { resource: "stored_bytes", limit },
    });
    const sandbox = await manage(test, "/v1/sandboxes", { key: a.key, body: { image: shell } });
    expect(sandbox.status).toBe(429);
    const reading = await a.call(`/${id}/exec`, { body: { command: sh("read x < /file") } });
    expect(reading.status).toBe(200);
    expect(await a.logs(id)).toContain("full");
    await b.until((await b.create(ends)).id, "completed");
    await a.call(`/${id}`, { method: "DELETE" });
    await eventually(async () => (await a.call("", { body: ends })).status === 202);
  });
});
