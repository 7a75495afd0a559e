import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, makeTenant } from "../factories/app";
import { platformKey, raiseRate } from "../factories/calls";
import { shellLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { servedSvc } from "../factories/served-svc";
import { typeLine } from "../factories/typed-line";
import { missingForWorkloads } from "../factories/workload-node";

const layer = await shellLayer();
const missing = missingForWorkloads() ?? (typeof layer === "string" ? layer : undefined);
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`svc pods${skipped}`, () => {
  let svc: Awaited<ReturnType<typeof servedSvc>>;
  let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  let image: string;
  let key: string;
  beforeAll(async () => {
    svc = await servedSvc({ RUNTIME: "auto" });
    registry = await startRegistryDouble();
    image = registry.add("shell", { layers: [layer as { bytes: Buffer }], config: SHELL_CONFIG }).reference;
    const ctx = await makeTenant(svc.test);
    await raiseRate(svc.test, ctx.tenantId);
    key = await platformKey(ctx, {
      mode: "test",
      scopes: ["pods:read", "pods:write", "sandboxes:read", "sandboxes:write"],
    });
  });
  afterAll(async () => {
    await svc.stop();
    await registry.stop();
  });

  async function type(...argv: string[]): Promise<string> {
    const { done, said } = typeLine(["pods", ...argv], { key, svc: svc.url });
    expect([await done, said.err]).toEqual([0, ""]);
    return said.out;
  }

  it("creates, lists, follows, stops, starts and deletes a pod that really runs", async () => {
    const command = JSON.stringify(["/bin/sh", "-c", "echo one; sleep 0.5; echo two"]);
    const data = `{"command":${command}}`;
    const made = JSON.parse(
      await type("create", "--image", image, "--name", "hello", "--gpu", "h100", "--data", data, "--json"),
    );
    expect(made).toMatchObject({ name: "hello", simulated: true });
    const statusOf = async () => JSON.parse(await type("get", made.id, "--json")).status as string;
    await eventually(async () => (await statusOf()) !== "pending");
    expect(await type("logs", made.id, "--follow")).toBe("one\ntwo\n");
    await eventually(async () => (await statusOf()) === "completed");
    expect(await type("list", "--status", "completed")).toContain(made.id);
    expect(await type("start", made.id, "--json")).toContain('"status": "pending"');
    await type("stop", made.id);
    await eventually(async () => ["stopped", "completed"].includes(await statusOf()));
    expect(await type("logs", made.id)).toMatch(/^(one\n(two\n)?)?$/);
    await type("delete", made.id);
    const { db } = svc.test.app.cloud;
    await eventually(async () => (await db.podRun.count({ where: { removedAt: null } })) === 0);
  });

  it("runs commands in sandboxes, with their output and exit status", async () => {
    const typed = async (...argv: string[]) => {
      const { done, said } = typeLine(argv, { key, svc: svc.url });
      return [await done, said.out, said.err];
    };
    const program = ["--", "/bin/sh", "-c"];
    const run = ["sandboxes", "run", "--image", image];
    const once = await typed(...run, ...program, "echo out; echo err >&2; exit 7");
    expect(once).toEqual([7, "out\n", "err\n"]);
    const [status, , id = ""] = await typed(...run, "--keep-alive", ...program, "echo kept > /file");
    expect([status, id]).toEqual([0, expect.stringMatching(/^sbx_/)]);
    const of = String(id).trim();
    await typed("sandbox-files", "write", of, "--path", "/new", "--content", "written");
    const read = await typed("sandboxes", "exec", of, ...program, "cat /file /new; kill -9 $$");
    expect(read).toEqual([137, "kept\nwritten", ""]);
    expect((await typed("sandboxes", "delete", of))[0]).toBe(0);
    const { db } = svc.test.app.cloud;
    await eventually(async () => (await db.podRun.count({ where: { removedAt: null } })) === 0);
  });
});
