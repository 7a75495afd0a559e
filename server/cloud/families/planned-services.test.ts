import { expect, it } from "vitest";
import { z } from "zod";
import { openForFile } from "../../../test/factories/open-for-file";
import { ResourceScene } from "../../../test/factories/resource-scene";
import { Families } from "../core/kinds/families";
import type { Kind } from "../core/kinds/kind";
import { activateService } from "../core/resources/activate-service";
import { createResource } from "../core/resources/create-resource";
import { deleteResource } from "../core/resources/delete-resource";
import { getResource } from "../core/resources/get-resource";
import { listActivations } from "../core/resources/list-activations";
import { listResources } from "../core/resources/list-resources";
import { listServices } from "../core/resources/list-services";
import { FAMILIES } from "./cloud-families";
import { getSkuPrice } from "./get-sku-price";
import { listSkus } from "./list-skus";
import { PLANNED_FAMILIES } from "./planned-services";

/** Those of the specification. */
const EDGE =
  "cdn dns ssl waf ddos bots ratelimit loadbalancing argo waiting_room turnstile analytics logs workers workers_kv durable_objects r2 d1 hyperdrive queues pages pubsub stream images vectorize browser_render calls realtime ai_gateway workers_ai autorag access tunnel gateway warp casb browser_isolation dlp email_security magic_transit magic_wan magic_firewall spectrum".split(
    " ",
  );
const OBS =
  "metrics apm profiling ci synthetics rum siem cspm cwpp threat_intel dlp npm ndm topology dbm dwm cache_mon serverless containers hosts ccm budgets incidents oncall alerts workflows service_catalog audit accounts usage notebooks logs_ai anomaly_detect sensitive_data_scanner logs".split(
    " ",
  );

const scene = await openForFile(ResourceScene.open());
scene.families = FAMILIES;

it("has each service of edge and obs once, with a sentence, a plan and a reason", async () => {
  const ctx = await scene.newClient();
  const { data } = await listServices.run(ctx, {});
  const namesOf = (plane: string) => data.filter((one) => one.plane === plane).map(({ service }) => service);
  expect([namesOf("edge").sort(), namesOf("obs").sort()]).toEqual([EDGE.sort(), OBS.sort()]);
  // A line stays when a family takes its place: two services have never been planned ones.
  expect(PLANNED_FAMILIES).toHaveLength(EDGE.length + OBS.length - 2);
  for (const { service, provisionable, reason } of data.filter(({ plane }) => plane === "edge"))
    expect([provisionable, reason === null]).toEqual(service === "cdn" ? [true, true] : [false, false]);
  for (const { summary, kinds, blocker } of PLANNED_FAMILIES) {
    const [plan] = Object.values(kinds)[0]?.plan({}, "one") ?? [];
    for (const text of [summary, plan?.step, plan?.what, plan?.proof, blocker?.message]) expect(text).toMatch(/\w{3}/);
  }
});

it("keeps the activation of every service of edge, and plans its resources", async () => {
  const ctx = await scene.newClient();
  const plan = async (service: string) => {
    const spec = { token: "secret-7f3a" };
    const input = createResource.input.parse({ plane: "edge", service, name: "one", spec });
    return createResource.run(ctx, input);
  };
  expect(await plan("dns")).toMatchObject({ state: "placeholder", reason: { code: "not_activated" } });
  for (const service of EDGE) await activateService.run(ctx, { plane: "edge", service, plan_tier: "pro" });
  const { data } = await listActivations.run(ctx, { plane: "edge" });
  expect(data.map(({ service, plan_tier }) => [service, plan_tier])).toEqual(EDGE.sort().map((one) => [one, "pro"]));
  for (const service of EDGE.filter((one) => one !== "cdn")) {
    const first = await plan(service);
    expect(first).toMatchObject({ state: "placeholder", provisioned: false, spec: {}, plan: [expect.any(Object)] });
    expect(["engine_missing", "needs_network", "elsewhere"]).toContain(first.reason?.code);
    expect(await plan(service)).toEqual(first);
  }
});

it("keeps the placeholders of a planned service whose place a family takes, whatever its kinds are called", async () => {
  const ctx = await scene.newClient();
  const input = createResource.input.parse({ plane: "edge", service: "pages", name: "one", spec: { bucket: "b" } });
  const { rid, plan } = await createResource.run(ctx, input);
  const size = z.strictObject({ size: z.int() });
  const [effect = never()] = Object.values(scene.effects.family().kinds);
  const strict: Kind = { ...effect, spec: size, plan: (spec) => [planOf(size.parse(spec))] };
  for (const kind of ["site", "deployment"]) {
    const family = { ...scene.effects.family({ plane: "edge", service: "pages" }), kinds: { [kind]: strict } };
    // Each process has the planned line and the family, in any order.
    for (const families of [
      [family, ...PLANNED_FAMILIES],
      [...PLANNED_FAMILIES, family],
    ]) {
      const later = { ...ctx, families: new Families(families) };
      expect(await getResource.run(later, { rid })).toMatchObject({
        kind: "site",
        state: "placeholder",
        spec: {},
        plan,
      });
      const list = listResources.input.parse({ plane: "edge", service: "pages" });
      expect((await listResources.run(later, list)).data.map((one) => one.rid)).toEqual([rid]);
      const asked = createResource.input.parse({ plane: "edge", service: "pages", name: "two", spec: { size: 3 } });
      const two = await createResource.run(later, asked);
      expect(two).toMatchObject({ kind, reason: { code: "not_activated" }, plan: [{ what: "3" }] });
      await deleteResource.run(later, { rid: two.rid });
    }
  }
  await deleteResource.run({ ...ctx, families: new Families(PLANNED_FAMILIES) }, { rid });
  expect(await scene.database.db.resource.count({ where: { id: rid } })).toBe(0);
});

const planOf = ({ size }: { size: number }) => ({ step: "make", what: String(size), proof: "It is in memory" });

function never(): never {
  throw new Error("no kind");
}

it("has prices by plane, and lists those that there are for one that is unknown", async () => {
  const ctx = { ...(await scene.newClient()), currency: "USD" } as unknown as Parameters<typeof listSkus.run>[0];
  const { data } = await listSkus.run(ctx, { plane: "edge" });
  expect(data.map(({ sku, on_demand, source }) => [sku, on_demand, source])).toEqual([
    ["hyperdrive.connections_1k_hour", "1.00", "platform"],
    ["queues.million_operations", "0.40", "platform"],
    ["gateway.seat_month", "7", "platform"],
    ["casb.app_month", "1", "platform"],
    ["browser_isolation.session_hour", "0.50", "platform"],
    ["dlp.gb", "0.10", "platform"],
  ]);
  const price = (given: object) => getSkuPrice.run(ctx, getSkuPrice.input.parse(given));
  expect(await price({ plane: "edge", service: "dlp", sku: "dlp.gb", plan: "pro" })).toMatchObject({ price: "0.10" });
  expect(await price({ service: "gpu", sku: "H100", plan: "spot" })).toMatchObject({ source: "svc" });
  await expect(price({ plane: "edge", service: "dlp", sku: "dlp.tb" })).rejects.toMatchObject({
    code: "not_found",
    details: { skus: ["dlp.gb"] },
  });
  await expect(price({ plane: "edge", service: "nothing", sku: "dlp.gb" })).rejects.toMatchObject({
    code: "invalid_request",
    param: "service",
  });
  await expect(price({ plane: "edge", service: "dlp", sku: "dlp.gb", plan: "spot" })).rejects.toMatchObject({
    code: "invalid_request",
    param: "plan",
  });
});
