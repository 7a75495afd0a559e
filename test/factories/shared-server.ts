import { randomUUID } from "node:crypto";
import path from "node:path";
import { inject } from "vitest";
import type { Demo } from "../../server/ads/demo/open-demo";
import { seedDemo } from "../../server/ads/demo/seed-demo";
import { connectPostgres, type PostgresConnection } from "../../server/engines/postgres/connect-postgres";
import { startPostgres } from "../../server/engines/postgres/start-postgres";
import { seedAccount } from "../../server/identity/seed-account";
import { createHasher } from "../../server/identity/users/hasher";
import { systemClock } from "../../server/kernel/clock";
import type { ServerProcess } from "./server-process";

const rootDir = path.resolve(import.meta.dirname, "../..");

/** The svc that tests of pages share; in no test does it stop or change its configuration. */
export type LentServer = Pick<ServerProcess, "url" | "port" | "dataDir">;

/** The shared svc, and a tenant of its own in it with an owner and two keys with every scope. */
export interface OwnTenant extends LentServer {
  demo: Pick<Demo, "dashboard" | "api">;
}

/** The same with a channel, its keys, and campaigns that serve on it. */
export interface OwnDemo extends LentServer {
  demo: Pick<Demo, "dashboard" | "api" | "channel">;
}

/** The shared svc; the first call of a run starts it. */
export async function sharedServer(): Promise<LentServer> {
  const answer = await fetch(inject("pagesServerUrl"));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as LentServer;
}

/** Makes a tenant for one test file, whose owner sees live mode first, as the owner of the demo does. */
export async function ownTenant(): Promise<OwnTenant> {
  const server = await sharedServer();
  return inDatabase(server, async (connection) => ({ ...server, demo: await makeAccount(connection) }));
}

/**
 * Makes a tenant for one test file with a copy of the demo. Neither its channels nor its campaigns meet those of other
 * tenants, so that what serves does not depend on other files.
 */
export async function ownDemo(): Promise<OwnDemo> {
  const server = await sharedServer();
  const { url } = server;
  return inDatabase(server, async ({ db, sql }) => {
    const account = await makeAccount({ db });
    const { tenant_id: tenantId, live_key } = account.api;
    const seed = { tenantId, landingBase: `${url}/demo/landing`, origin: url, currency: "USD" };
    const { channelId: id } = await seedDemo({ db, sql, clock: systemClock }, seed);
    await db.campaign.updateMany({ where: { tenantId }, data: { reach: "tenant" } });
    await db.channel.updateMany({ where: { tenantId }, data: { network: "own" } });
    const keyOf = async (kind: "server" | "browser"): Promise<string> => {
      const answer = await fetch(`${url}/v1/ads/channels/${id}/keys`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${live_key}` },
        body: JSON.stringify({ kind }),
      });
      return ((await answer.json()) as { key: string }).key;
    };
    const channel = { id, server_key: await keyOf("server"), browser_key: await keyOf("browser") };
    return { ...server, demo: { ...account, channel } };
  });
}

/** Calls `act` with a connection to the Postgres of the shared svc. */
export async function inDatabase<T>(
  { dataDir }: LentServer,
  act: (connection: Pick<PostgresConnection, "db" | "sql">) => Promise<T>,
): Promise<T> {
  // It belongs to the running svc and is only used.
  const { url } = await startPostgres({ rootDir, dataDir });
  const connection = connectPostgres(url, { poolMax: 4, connectTimeoutMs: 30_000 });
  try {
    return await act(connection);
  } finally {
    await connection.close();
  }
}

async function makeAccount({ db }: Pick<PostgresConnection, "db">): Promise<OwnTenant["demo"]> {
  const dashboard = { email: `${randomUUID()}@svc.example`, password: randomUUID() };
  const ctx = { db, clock: systemClock, hasher: await createHasher() };
  const { tenantId, projectId, keys } = await seedAccount(ctx, { ...dashboard, tenantName: "Demo", isDemo: true });
  if (!keys) throw new Error(`${dashboard.email} has an account already.`);
  const api = { tenant_id: tenantId, project_id: projectId, test_key: keys.test, live_key: keys.live };
  return { dashboard, api };
}
