import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { NodeEvent } from "../../server/cloud/compute/node-events/node-event";
import { releaseCordons } from "../../server/cloud/compute/node-events/release-cordons";
import { advanceFleetUpgrades } from "../../server/cloud/compute/pools/advance-fleet-upgrades";
import { cancelFleetUpgrade } from "../../server/cloud/compute/pools/cancel-fleet-upgrade";
import { CreateFleetUpgrade, createFleetUpgrade } from "../../server/cloud/compute/pools/create-fleet-upgrade";
import { listFleetUpgrades } from "../../server/cloud/compute/pools/list-fleet-upgrades";
import { RecordNodeHealth, recordNodeHealth } from "../../server/cloud/compute/pools/record-node-health";
import { reconcileResource } from "../../server/cloud/core/reconciler/reconciler";
import type { Resource } from "../../server/cloud/core/records/resource";
import { eventually, type TestApp, testApp } from "../factories/app";
import { manage } from "../factories/calls";
import { type OwnNodesClient, ownNodesClient, podRounds } from "../factories/own-nodes";
import { emptyPools, idleNode } from "../factories/pod-scene";

const MINUTE_MS = 60_000;
const works = () => Promise.resolve();

describe("nodes that a tenant has for itself", () => {
  let test: TestApp;
  let mine: OwnNodesClient;
  let strange: OwnNodesClient;
  let nowMs = Date.now();
  const clock = { now: () => new Date(nowMs) };
  const db = () => test.app.cloud.db;
  beforeAll(async () => {
    test = await testApp({ env: { RUNTIME: "auto", ROLE: "web" } });
    await idleNode(test, 1_000_000);
    [mine, strange] = [await ownNodesClient(test), await ownNodesClient(test)];
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    await emptyPools(test);
    await db().gpuNode.updateMany({ data: { softwareVersion: "0.1.0", upgradedAt: null } });
    await db().resource.updateMany({ data: { archivedAt: new Date() } });
    await db().nodeEvent.deleteMany();
    nowMs = Date.now();
  });

  interface Failure {
    error: { code: string; message: string; param?: string; details?: { reason?: string } };
  }
  async function call<T>(
    path: string,
    { as = mine, ...sent }: { as?: OwnNodesClient; body?: object; method?: string } = {},
  ) {
    const response = await manage(test, path, { key: as.key, ...sent });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T & Failure };
  }
  const activate = (service: string, as = mine) => call("/v1/activations", { as, body: { service } });
  const report = (
    node_name: string,
    severity = "crit",
    { as = mine, ...more }: { as?: OwnNodesClient; details?: object } = {},
  ) => call<NodeEvent>("/v1/node-events", { as, body: { node_name, signal: "xid_79", severity, ...more } });
  const row = (pool: string, node: string) => db().gpuNode.findUniqueOrThrow({ where: { pool_node: { pool, node } } });
  const closedIn = async (pool: string) => {
    const rows = await db().gpuNode.findMany({ where: { pool, cordonedAt: { not: null } }, orderBy: { node: "asc" } });
    return rows.map(({ node, cordonSource }) => [node, cordonSource]);
  };
  const types = async (prefix: string) => {
    const where = { tenantId: mine.tenantId, type: { startsWith: prefix } };
    return (await db().event.findMany({ where, orderBy: { sequence: "asc" } })).map(({ type }) => type);
  };
  const release = () => releaseCordons({ db: db(), clock });
  const { place, start, endNoticed } = podRounds(() => test);

  describe("have health events", () => {
    const pool = "apac/h200";
    beforeAll(async () => {
      await db().event.deleteMany({ where: { tenantId: mine.tenantId, type: { startsWith: "node." } } });
    });

    it("only of the tenant whose instance has the node, while nlc is activated, and which nobody else sees", async () => {
      const { node } = await mine.metal("h200");
      const name = `${pool}/${node}`;
      expect(await report(name)).toMatchObject({
        status: 409,
        body: { error: { details: { reason: "not_activated" } } },
      });
      await activate("nlc");
      await activate("nlc", strange);
      const refused = await report(name, "crit", { as: strange });
      expect(refused).toMatchObject({ status: 404, body: { error: { param: "node_name" } } });
      expect(refused.body.error.message).toMatch(/none does\.$/);
      expect((await report("h200-99")).body.error.message).toBe(
        `You have no node with the name "h200-99". Yours: ${name}.`,
      );
      const large = await report(node, "warn", { details: { text: "x".repeat(4100) } });
      expect(large).toMatchObject({ status: 400, body: { error: { param: "details" } } });
      const details = { device: 5, serial: "1653" };
      const noted = await report(node, "warn", { details });
      expect(noted).toMatchObject({ status: 201, body: { node_name: name, details, cordoned: false } });
      expect(await closedIn(pool)).toEqual([]);
      expect((await call<{ data: object[] }>("/v1/node-events")).body.data).toEqual([noted.body]);
      expect((await call<{ data: object[] }>("/v1/node-events", { as: strange })).body.data).toEqual([]);
      // Nor is it among the events by which operators and their upgrades judge the node.
      expect(await db().gpuNodeEvent.count({ where: { pool, node } })).toBe(0);
    });

    it("of which a critical one moves the instance to another node, and then the node is open again", async () => {
      const { node, podId } = await mine.metal("h200");
      expect(await report(node)).toMatchObject({ status: 201, body: { cordoned: true } });
      expect(await row(pool, node)).toMatchObject({ drains: true, cordonSource: "tenant", flaps: false });
      expect((await report(node)).body).toMatchObject({ cordoned: false });
      await place();
      expect(await mine.get(podId)).toMatchObject({ status: "reclaiming" });
      await release();
      expect(await closedIn(pool)).toEqual([[node, "tenant"]]);
      await endNoticed();
      await release();
      expect(await closedIn(pool)).toEqual([[node, "tenant"]]);
      await place();
      await start();
      await release();
      expect(await closedIn(pool)).toEqual([]);
      const moved = await mine.get(podId);
      expect(moved).toMatchObject({ status: "ready", runs: 2 });
      expect(moved.allocation?.node).not.toBe(node);
      const audited = await db().auditEntry.findMany({
        where: { tenantId: mine.tenantId, action: { startsWith: "node." } },
        orderBy: { sequence: "desc" },
        take: 2,
      });
      expect(audited.map(({ action, targets }) => [action, targets])).toEqual([
        ["node.uncordoned", [{ type: "node", id: `${pool}/${node}`, name: node }]],
        ["node.health_event", [{ type: "node", id: `${pool}/${node}`, name: node }]],
      ]);
      expect((await types("node.")).slice(-4)).toEqual([
        "node.health_event",
        "node.cordoned",
        "node.health_event",
        "node.uncordoned",
      ]);
    });

    it("whose cordon ends with the instance, after 10 minutes, or with the service, but not that of operators", async () => {
      const first = await mine.metal("h200");
      await report(first.node);
      await mine.call(`/${first.podId}`, { method: "DELETE" });
      await endNoticed({ noticed: false });
      await release();
      expect(await closedIn(pool)).toEqual([]);

      const second = await mine.metal("h200");
      await report(second.node);
      const { cordonedAt } = await db().gpuNode.findUniqueOrThrow({
        where: { pool_node: { pool, node: second.node } },
      });
      nowMs = (cordonedAt as Date).getTime() + 10 * MINUTE_MS - 1;
      await release();
      expect(await closedIn(pool)).toEqual([[second.node, "tenant"]]);
      nowMs += 1;
      await release();
      expect(await closedIn(pool)).toEqual([]);

      const health = { pool, node: second.node, kind: "xid_79", message: "GPU lost" };
      nowMs = Date.now();
      expect((await report(second.node)).body.cordoned).toBe(true);
      await recordNodeHealth({ db: db(), clock }, RecordNodeHealth.parse({ ...health, severity: "ok" }));
      expect(await closedIn(pool)).toEqual([[second.node, "tenant"]]);
      await recordNodeHealth({ db: db(), clock }, RecordNodeHealth.parse({ ...health, severity: "crit" }));
      nowMs += 20 * MINUTE_MS;
      await release();
      expect(await closedIn(pool)).toEqual([[second.node, "health"]]);

      const third = await mine.metal("h200");
      await report(third.node);
      await call("/v1/activations/nlc", { method: "DELETE" });
      await release();
      expect(await closedIn(pool)).toEqual([[second.node, "health"]]);
      await activate("nlc");
    });

    it("which cordon a node 3 times within an hour, and after that are only recorded", async () => {
      const { node } = await mine.metal("h200");
      const open = { cordonedAt: null, cordonSource: null, drains: false };
      const cordoned: boolean[] = [];
      for (let i = 0; i < 4; i++) {
        cordoned.push((await report(node)).body.cordoned);
        await db().gpuNode.updateMany({ where: { pool }, data: open });
      }
      expect(cordoned).toEqual([true, true, true, false]);
      // However many others follow, the cordons of the last hour are not forgotten.
      expect(await db().nodeEvent.count({ where: { cordoned: true } })).toBe(3);
    });
  });

  describe("are upgraded", () => {
    const pool = "apac/h100";
    let agent: Client;
    beforeAll(async () => {
      await activate("flc");
      agent = new Client({ name: "test", version: "1" });
      await agent.connect(
        new StreamableHTTPClientTransport(new URL("http://localhost:3000/v1/mcp"), {
          requestInit: { headers: { authorization: `Bearer ${mine.key}` } },
          fetch: (url, init) => test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" }),
        }),
      );
    });
    afterAll(() => agent.close());
    const advance = () => advanceFleetUpgrades({ db: db(), clock, upgradeNode: works, lookingSince: new Date(0) });
    const advanceAll = async () => {
      while (await advance());
    };
    const operators = () =>
      createFleetUpgrade({ db: db(), clock }, CreateFleetUpgrade.parse({ target_version: "3.0.0", pool }));
    const stateOf = async (id: string) => (await listFleetUpgrades({ db: db() })).find((line) => line.id === id)?.state;
    const looked = async (rid: string) => {
      await reconcileResource(test.app.cloud.reconciling, rid);
      return (await call<Resource>(`/v1/resources/${rid}`)).body;
    };
    /** Creates an upgrade, and goes on as soon as it has begun, because its creation waits for its end. */
    async function begin(given: Record<string, unknown> = {}) {
      const made = agent.callTool({ name: "gpuc_flc_upgrade", arguments: { target_version: "2.0.0", ...given } });
      await eventually(async () => (await db().fleetUpgrade.count({ where: { tenantId: mine.tenantId } })) > 0);
      const { id } = await db().fleetUpgrade.findFirstOrThrow({ where: { tenantId: mine.tenantId } });
      return { id, made };
    }

    it("one after the other, and their instances come back to them, while others stay as they are", async () => {
      const instances = [await mine.metal("h100"), await mine.metal("h100")];
      const other = await strange.metal("h100");
      const { id, made } = await begin();
      const seen: number[] = [];
      for (let round = 0; (await stateOf(id)) === "running"; round++) {
        expect(round).toBeLessThan(40);
        await advance();
        seen.push((await closedIn(pool)).length);
        await place();
        await endNoticed();
        await place();
        await start();
      }
      expect(Math.max(...seen)).toBe(1);
      for (const { podId, node } of instances)
        expect(await mine.get(podId)).toMatchObject({ status: "ready", runs: 2, allocation: { node } });
      expect(await strange.get(other.podId)).toMatchObject({ status: "ready", runs: 1 });
      const upgraded = await db().gpuNode.findMany({ where: { pool, softwareVersion: "2.0.0" } });
      expect(upgraded.map(({ node }) => node).sort()).toEqual(instances.map(({ node }) => node).sort());
      expect(await looked(id)).toMatchObject({
        state: "ready",
        name: expect.stringMatching(/^2\.0\.0-/),
        observed: { status: "completed", nodes: 2, upgraded: 2, simulated: true },
      });
      await made;
      const events = await db().event.findMany({
        where: { tenantId: mine.tenantId },
        orderBy: { sequence: "asc" },
      });
      const ofIt = events.filter(({ data }) => (data as { rid?: string }).rid === id);
      expect(ofIt.map(({ type }) => type)).toEqual(["resource.created", "resource.ready"]);
      expect(await db().gpuNomination.count()).toBe(0);
    });

    it("not while operators upgrade the pool, whose upgrade does not wait for them", async () => {
      const { node } = await mine.metal("h100");
      const { id, made } = await begin();
      await advance();
      expect(await closedIn(pool)).toEqual([[node, "upgrade"]]);
      const [line] = await operators();
      await advance();
      expect(await closedIn(pool)).not.toContainEqual([node, "upgrade"]);
      const reason = "Operators are upgrading apac/h100 to 3.0.0: try again when they are done.";
      expect(await looked(id)).toMatchObject({ state: "failed", observed: { status: "paused", pause_reason: reason } });
      await made;
      const body = { service: "flc", name: "other", spec: { target_version: "2.1.0" } };
      const refused = await call<Resource>("/v1/resources", { body });
      expect(refused.body).toMatchObject({ state: "failed", reason: { code: "operators_upgrade", message: reason } });
      await cancelFleetUpgrade({ db: db(), clock }, { id: line?.id ?? "" });
      const again = call<Resource>(`/v1/resources/${id}`, {
        method: "PATCH",
        body: { spec: { target_version: "2.0.0" } },
      });
      await eventually(async () => (await stateOf(id)) === "running");
      expect((await looked(refused.body.rid)).reason).toMatchObject({ code: "upgrade_open" });
      await advance();
      expect(await closedIn(pool)).toContainEqual([node, "upgrade"]);
      await again;
      // Deleting it cancels it, and the instance keeps its node.
      expect((await call(`/v1/resources/${id}`, { method: "DELETE" })).status).toBe(204);
      expect(await closedIn(pool)).toEqual([]);
      expect(await db().fleetUpgrade.count({ where: { id } })).toBe(0);
    });

    it("until a critical event after the upgrade of one pauses it; nodes that the tenant has left are left", async () => {
      const instances = [await mine.metal("h100"), await mine.metal("h100"), await mine.metal("h100")];
      const { id, made } = await begin();
      await db().gpuDevice.deleteMany({ where: { node: instances[0]?.node ?? "" } });
      await advanceAll();
      const [done = { node: "" }] = await db().gpuNode.findMany({ where: { pool, softwareVersion: "2.0.0" } });
      expect((await report(done.node)).status).toBe(201);
      await advanceAll();
      const paused = await looked(id);
      await made;
      expect(paused.reason?.message).toContain(`${done.node} had a critical health event within 5 minutes`);
      expect(paused).toMatchObject({ state: "failed", observed: { upgraded: 1, nodes: 3 } });
      expect((await closedIn(pool)).filter(([, source]) => source === "upgrade")).toEqual([]);
      await db().pod.updateMany({ where: { resourceId: { not: null } }, data: { deletedAt: new Date() } });
      const again = call(`/v1/resources/${id}`, { method: "PATCH", body: { spec: { target_version: "2.0.0" } } });
      await eventually(async () => (await stateOf(id)) === "running");
      await advanceAll();
      expect(await looked(id)).toMatchObject({ state: "ready", observed: { status: "completed", upgraded: 1 } });
      await again;
    });
  });
});
