import { describe, expect, it } from "vitest";
import { newId } from "../../server/kernel/ids";
import { makeTenant, testApp } from "../factories/app";
import { platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { idleNode, PodClient } from "../factories/pod-scene";

const test = await openForFile(testApp({ env: { PUBLIC_URL: "https://svc.example" } }));
await idleNode(test);

async function newClient() {
  const tenant = await makeTenant(test);
  const key = await platformKey(tenant, { mode: "test", scopes: ["pods:read", "pods:write"] });
  return { tenantId: tenant.tenantId, pods: new PodClient(test, key) };
}
const nodes = () => test.app.cloud.db.podNode;
const admit = (id: string, admittedAt: Date | null) =>
  test.app.cloud.db.tenant.update({ where: { id }, data: { admittedAt } });
const refused = {
  status: 403,
  body: { error: { code: "forbidden", details: { reason: "tenant_not_admitted" } } },
};

describe("where others reach svc, and its own node runs pods", () => {
  it("A, who signed up, starts no pod on it until an operator has admitted A; B, who was, goes on", async () => {
    await nodes().updateMany({ data: { admittedOnly: true } });
    const [a, b] = [await newClient(), await newClient()];
    await admit(b.tenantId, new Date());
    expect(await a.pods.call("", { body: { image: "alpine" } })).toMatchObject(refused);
    const { id } = await b.pods.create({ image: "alpine" });
    await test.settle();
    const placedOn = async (podId: string) =>
      (await test.app.cloud.db.podRun.findFirstOrThrow({ where: { podId } })).nodeId;
    expect(await placedOn(id)).not.toBeNull();

    await admit(a.tenantId, new Date());
    const own = await a.pods.create({ image: "alpine" });
    await a.pods.call(`/${own.id}/stop`, { method: "POST" });
    await admit(a.tenantId, null);
    expect(await a.pods.call("", { body: { image: "alpine" } })).toMatchObject(refused);
  });

  it("A's pods run on nodes that are apart from svc, and on no other", async () => {
    const a = await newClient();
    await nodes().updateMany({ data: { admittedOnly: true } });
    const { gpus: _none, ...here } = await nodes().findFirstOrThrow();
    const apart = newId("nod", 0);
    await nodes().create({ data: { ...here, id: apart, admittedOnly: false } });
    for (let n = 0; n < 4; n++) {
      const { id } = await a.pods.create({ image: "alpine", memory_mb: 64 });
      await test.settle();
      const { nodeId } = await test.app.cloud.db.podRun.findFirstOrThrow({ where: { podId: id } });
      expect(nodeId).toBe(apart);
    }
  });
});
