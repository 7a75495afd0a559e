import { afterAll, describe, expect, it } from "vitest";
import { eventually } from "../factories/app";
import { type PodScene, podScene } from "../factories/pod-scene";
import { canLimitWorkloads } from "../factories/workload-machine";

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
    // What the machine has for pods is known to placing.
    const { diskMb } = await test.app.cloud.db.podRunner.findFirstOrThrow();
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
});
