import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { newId } from "../../server/kernel/ids";
import { SCOPES, scopesOfRole } from "../../server/operation/actor";
import type { RunningServer } from "../../server/start-server";

/** A tenant of the bench: its test keys, each of a project of its own. */
export interface BenchTenant {
  tenantId: string;
  keys: string[];
}

const CREDIT_NANOS = 10n ** 15n;
const REMOVED_WITHIN_MS = 60_000;
const POLL_MS = 250;

/** A tenant with credit and default limits, and one key in each of `projects` projects. */
export async function makeTenant({ app }: RunningServer, projects: number): Promise<BenchTenant> {
  const { db, clock } = app.ads;
  const createdAt = clock.now();
  const at = createdAt.getTime();
  const [tenantId, userId] = [newId("ten", at), newId("usr", at)];
  await db.tenant.create({ data: { id: tenantId, name: "Bench", createdAt } });
  const person = {
    id: userId,
    email: `${userId}@example.com`,
    passwordHash: "",
    emailVerifiedAt: createdAt,
    createdAt,
  };
  await db.user.create({ data: { ...person, memberships: { create: { tenantId, role: "owner", createdAt } } } });
  await db.tenantBalance.create({ data: { tenantId, creditedNanos: CREDIT_NANOS } });
  const request = { requestId: "req_bench", address: "127.0.0.1", userAgent: "bench" };
  const scopes = scopesOfRole("owner");
  const actor = { kind: "person", tenantId, userId, sessionId: "s", role: "owner", scopes } as const;
  const keys: string[] = [];
  for (let n = 0; n < projects; n++) {
    const project = newId("prj", at);
    await db.project.create({ data: { id: project, tenantId, name: `Bench ${n}`, createdAt } });
    const input = createApiKey.input.parse({ name: "Bench", scopes: SCOPES, mode: "test", project });
    keys.push((await createApiKey.run({ ...app.ads, actor, request }, input)).key);
  }
  return { tenantId, keys };
}

/** Ends all pods and what would make new ones; workloads outlive the process of svc that started them. */
export async function removePods({ app }: RunningServer): Promise<number> {
  const { db } = app.cloud;
  const left = { removedAt: null, nodeId: { not: null } };
  const end = Date.now() + REMOVED_WITHIN_MS;
  await db.resource.updateMany({ data: { archivedAt: new Date(), nextAt: null } });
  do {
    await db.pod.updateMany({ where: { deletedAt: null }, data: { deletedAt: new Date() } });
    if ((await db.podRun.count({ where: left })) === 0) return 0;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  } while (Date.now() < end);
  return db.podRun.count({ where: left });
}
