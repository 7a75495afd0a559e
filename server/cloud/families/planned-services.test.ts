import { afterAll, beforeAll, expect, it } from "vitest";
import { ResourceScene } from "../../../test/factories/resource-scene";
import { activateService } from "../core/resources/activate-service";
import { createResource } from "../core/resources/create-resource";
import { listActivations } from "../core/resources/list-activations";
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

let scene: ResourceScene;
beforeAll(async () => {
  scene = await ResourceScene.open();
  scene.families = FAMILIES;
});
afterAll(() => scene.close());

it("has each service of edge and obs once, with a sentence, a plan and a reason", async () => {
  const ctx = await scene.newClient();
  const { data } = await listServices.run(ctx, {});
  const namesOf = (plane: string) => data.filter((one) => one.plane === plane).map(({ service }) => service);
  expect([namesOf("edge").sort(), namesOf("obs").sort()]).toEqual([EDGE.sort(), OBS.sort()]);
  // A line of a service that has a family would take its place.
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
