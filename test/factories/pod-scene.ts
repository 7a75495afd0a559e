import { randomUUID } from "node:crypto";
import { recordNodeReport } from "../../server/cloud/compute/placement/pod-nodes.sql";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import { OPEN } from "../../server/cloud/compute/pools/change-node";
import type { Mode, Scope } from "../../server/operation/actor";
import { eventually, makeTenant, type TestApp, type TestAppOptions, testApp } from "./app";
import { manage, newProject, platformKey, raiseRate } from "./calls";
import { shellLayer } from "./image-layers";
import { startRegistryDouble } from "./registry-double";
import { SHELL_CONFIG } from "./runtime-scene";
import { missingForWorkloads } from "./workload-node";

const SCOPES: Scope[] = [
  "pods:read",
  "pods:write",
  "sandboxes:read",
  "sandboxes:write",
  "workspaces:read",
  "workspaces:write",
  "functions:read",
  "functions:write",
  "secrets:write",
  "secrets:reveal",
  "audit:read",
  "billing:read",
];

export interface HttpResult<T> {
  status: number;
  body: T & { error?: { code: string; message: string; param?: string; details?: Record<string, unknown> } };
}

/** Calls the pods API with one key: `path` is what comes after `/v1/pods`. */
export class PodClient {
  constructor(
    readonly test: TestApp,
    readonly key: string,
  ) {}

  /** With `body` a POST. */
  async call<T = Pod>(path = "", { method, body }: { method?: string; body?: object } = {}): Promise<HttpResult<T>> {
    const sent = { key: this.key, ...(method && { method }), ...(body && { body }) };
    const response = await manage(this.test, `/v1/pods${path}`, sent);
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  }

  async create(fields: object): Promise<Pod> {
    const { status, body } = await this.call("", { body: fields });
    if (status !== 202) throw new Error(`create returned ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async get(id: string): Promise<Pod> {
    return (await this.call(`/${id}`)).body;
  }

  /** The pod once it has a status. */
  async until(id: string, status: Pod["status"]): Promise<Pod> {
    let pod = await this.get(id);
    await eventually(async () => {
      pod = await this.get(id);
      const isOver = ["stopped", "completed", "failed"].includes(pod.status);
      if (isOver && pod.status !== status) throw new Error(`it is ${pod.status}: ${JSON.stringify(pod.status_reason)}`);
      return pod.status === status;
    });
    return pod;
  }

  async logs(id: string): Promise<string> {
    return (await this.call<{ text: string }>(`/${id}/logs`)).body.text;
  }

  async said(id: string, text: string): Promise<void> {
    await eventually(async () => (await this.logs(id)).includes(text));
  }
}

/** A node that reports, but does nothing: pods are placed on it and stay as they are. */
export async function idleNode(
  { app, engines }: TestApp,
  memoryMb = 10_000,
  diskMb: number | null = null,
): Promise<void> {
  const node = {
    isolation: "",
    limitsEnforced: true,
    reachesPorts: true,
    keepsVolumes: true,
    hasNetworks: true,
    volumesGb: 100,
    limitsVolumes: true,
    admittedOnly: false,
    reason: null,
    memoryMb,
    diskMb,
    address: null,
  };
  await recordNodeReport(engines.sql, { id: randomUUID(), kind: "namespaces", ...node });
  const seenAt = new Date(Date.now() + 24 * 3600 * 1000);
  await app.cloud.db.podNode.updateMany({ data: { seenAt } });
}

/** A client for a key of a new tenant. */
export async function newPodClient(test: TestApp, { mode = "test" }: { mode?: Mode } = {}): Promise<TenantPodClient> {
  const ctx = await makeTenant(test);
  await raiseRate(test, ctx.tenantId);
  const project = await newProject(ctx);
  const key = await platformKey(ctx, { mode, scopes: SCOPES, project });
  const withScopes = async (scopes: Scope[]) => new PodClient(test, await platformKey(ctx, { mode, scopes, project }));
  return Object.assign(new PodClient(test, key), { tenantId: ctx.tenantId, withScopes });
}

export type TenantPodClient = PodClient & {
  tenantId: string;
  /** A client for another key of the same project. */
  withScopes(scopes: Scope[]): Promise<PodClient>;
};

/** Stops all pods in the records and frees all GPUs, for tests in which no process runs. Every node accepts pods then. */
export async function emptyPools({ app }: TestApp): Promise<void> {
  const { db } = app.cloud;
  await db.fleetUpgrade.deleteMany();
  await db.gpuNomination.deleteMany();
  await db.gangKeep.deleteMany();
  await db.gpuDevice.deleteMany();
  await db.gpuPool.updateMany({ data: { version: { increment: 1 } } });
  for (const { pool, version } of await db.gpuPool.findMany()) {
    await db.gpuNode.updateMany({ where: { pool }, data: { version, ...OPEN } });
  }
  await db.podRun.updateMany({ where: { endedAt: null }, data: { endedAt: new Date() } });
  await db.pod.updateMany({ data: { status: "stopped" } });
}

export interface PodScene {
  test: TestApp;
  registry: Awaited<ReturnType<typeof startRegistryDouble>>;
  /** The reference of an image with a shell and a few programs. */
  shell: string;
  /** A client for a key of a new tenant. */
  client(options?: { mode?: Mode }): Promise<TenantPodClient>;
  close(): Promise<void>;
}

/** svc with a runtime of this node and a registry; a sentence if the node cannot run pods. */
export async function podScene(options: Pick<TestAppOptions, "spaceOf"> = {}): Promise<PodScene | string> {
  const missing = missingForWorkloads();
  if (missing !== undefined) return missing;
  const layer = await shellLayer();
  if (typeof layer === "string") return layer;
  const test = await testApp({ ...options, env: { RUNTIME: "namespaces" } });
  const registry = await startRegistryDouble();
  const { reference: shell } = registry.add("shell", { layers: [layer], config: SHELL_CONFIG });
  const { db } = test.app.cloud;
  // On a busy machine the trial of the runtimes takes longer than a request waits for it.
  await eventually(async () => (await db.podNode.count()) > 0);
  return {
    test,
    registry,
    shell,
    client: (options) => newPodClient(test, options),
    close: async () => {
      // Resources would make new pods for those that are deleted, also by a step that is under way.
      await db.resource.updateMany({ data: { archivedAt: new Date(), nextAt: null } });
      const left = { removedAt: null, nodeId: { not: null } };
      await eventually(async () => {
        await db.pod.updateMany({ where: { deletedAt: null }, data: { deletedAt: new Date() } });
        return (await db.podRun.count({ where: left })) === 0;
      });
      await test.stop();
      await registry.stop();
    },
  };
}
