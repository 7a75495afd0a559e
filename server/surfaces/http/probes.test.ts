import { expect, it } from "vitest";
import { readyz } from "./probes";

const postgres = { name: "postgres", required: true, ping: async () => undefined };

it("lists what runs pods on each machine, and is ready although that cannot be read", async () => {
  const runtime = {
    kind: "namespaces",
    isolation: "None.",
    limits_enforced: true,
    gpu: "simulated" as const,
    reason: null,
  };
  const known = await readyz([postgres], { stopping: false, runtimes: async () => [runtime] });
  expect(await known.json()).toEqual({
    status: "ready",
    engines: [{ name: "postgres", required: true, ok: true }],
    runtimes: [runtime],
  });
  const unread = await readyz([postgres], { stopping: false, runtimes: () => Promise.reject(new Error("away")) });
  expect([unread.status, await unread.json()]).toMatchObject([200, { status: "ready", runtimes: [] }]);
});
