import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { Families } from "../../server/cloud/core/kinds/families";
import { LookSchedule } from "../../server/cloud/core/reconciler/look-schedule";
import { ResourceLanes } from "../../server/cloud/core/reconciler/resource-lanes";
import { beginDueResources, beginLooks } from "../../server/cloud/core/reconciler/start-resources";
import { waitUntilStable } from "../../server/cloud/core/reconciler/wait-until-stable";
import type { Resource } from "../../server/cloud/core/records/resource";
import type { ResourceCtx } from "../../server/cloud/core/records/resource-ctx";
import { activateService } from "../../server/cloud/core/resources/activate-service";
import { createResource } from "../../server/cloud/core/resources/create-resource";
import { updateResource } from "../../server/cloud/core/resources/update-resource";
import { migrateJobs } from "../../server/engines/jobs/migrate-jobs";
import { ManualClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { SCOPES } from "../../server/operation/actor";
import { Effects } from "./effect-family";
import { type TestDatabase, testDatabase } from "./postgres";

export const EFFECT_SERVICE = { plane: "gpuc", service: "observe" } as const;

/** Resources whose effects are in memory, on a database of their own. */
export class ResourceScene {
  effects = new Effects();
  clock = new ManualClock(new Date("2026-11-20T09:00:00Z"));
  families = new Families([this.effects.family()]);

  private constructor(readonly database: TestDatabase) {}

  static async open(): Promise<ResourceScene> {
    const database = await testDatabase();
    await migrateJobs(database.sql);
    return new ResourceScene(database);
  }

  /** Forgets the resources and their effects. */
  async reset(): Promise<void> {
    await this.database.db.resource.deleteMany();
    await this.database.db.resourceLook.deleteMany();
    this.effects = new Effects();
    this.families = new Families([this.effects.family()]);
    this.clock = new ManualClock(new Date("2026-11-20T09:00:00Z"));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** What one process of svc reconciles with. */
  reconciling() {
    const { db, sql } = this.database;
    const lanes = new ResourceLanes();
    return { db, sql, clock: this.clock, log: pino({ level: "silent" }), families: this.families, lanes };
  }

  /** A client of a new tenant. */
  async newClient(): Promise<ResourceCtx> {
    const { db } = this.database;
    const now = this.clock.now();
    const [tenantId, projectId] = [newId("ten", now.getTime()), newId("prj", now.getTime())];
    await db.tenant.create({ data: { id: tenantId, name: "Acme", createdAt: now } });
    await db.project.create({ data: { id: projectId, tenantId, name: "main", createdAt: now } });
    return this.client({ tenantId, projectId });
  }

  /** A client with a key of a project. */
  client({ tenantId, projectId, mode = "test" }: { tenantId: string; projectId: string; mode?: "test" | "live" }) {
    const actor = { kind: "key", tenantId, projectId, keyId: "key_1", mode, scopes: new Set(SCOPES) } as const;
    const request = { requestId: "req_1", address: "127.0.0.1", userAgent: "test" };
    const { database, clock, families } = this;
    const own = { actor, request, cursorKey: randomBytes(32), families };
    const ctx = this.reconciling();
    const waiting = { waitUntilStable: (rid: string) => waitUntilStable(ctx, rid) };
    return { ...database, clock, ...own, ...waiting } as unknown as ResourceCtx;
  }

  /** One of a new tenant that has activated the service. */
  async activeClient(): Promise<ResourceCtx> {
    const ctx = await this.newClient();
    await activateService.run(ctx, { ...EFFECT_SERVICE, plan_tier: "enterprise" });
    return ctx;
  }

  /** Creates a resource as the pipeline does. */
  create(ctx: ResourceCtx, name: string, spec: object = {}): Promise<Resource> {
    return this.createOfKind(ctx, "effect", { name, spec });
  }

  /** Creates a resource of a kind of the service. */
  async createOfKind(ctx: ResourceCtx, kind: string, { name, spec = {} }: { name: string; spec?: object }) {
    const input = createResource.input.parse({ service: "observe", kind, name, spec });
    const prepared = await createResource.prepare?.(ctx, input);
    const made = await createResource.run(ctx, input, { prepared } as never);
    return (await createResource.afterCommit?.(ctx, made)) ?? made;
  }

  /** Changes a spec, and waits for the effect. */
  update(ctx: ResourceCtx, rid: string, spec: Record<string, unknown>): Promise<Resource> {
    return updateResource.run(ctx, { rid, spec });
  }

  async eventsOf(rid: string): Promise<string[]> {
    const events = await this.database.db.event.findMany({ orderBy: { sequence: "asc" } });
    return events.filter(({ data }) => (data as { rid?: string }).rid === rid).map(({ type }) => type);
  }

  /** What one process does at a time: it takes the steps that are due, and looks at the kinds that are due. */
  async round(ctx = this.reconciling()): Promise<void> {
    await beginDueResources(ctx);
    await beginLooks(ctx, new LookSchedule());
    await ctx.lanes.idle();
  }
}
