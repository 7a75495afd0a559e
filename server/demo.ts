import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { createChannelKey } from "./ads/channels/create-channel-key";
import { seedDemo } from "./ads/demo/seed-demo";
import type { Config } from "./config";
import type { Engines } from "./engines/start-engines";
import { scopesOfRole } from "./identity/actors/actor";
import type { AccountCtx } from "./identity/identity-ctx";
import { seedAccount } from "./identity/seed-account";
import { randomBase32 } from "./kernel/ids";

const EMAIL = "demo@svc.example";

const DemoFile = z.object({
  url: z.string(),
  dashboard: z.object({ email: z.string(), password: z.string() }),
  channel: z.object({ id: z.string(), server_key: z.string(), browser_key: z.string() }),
  api: z.object({ tenant_id: z.string(), project_id: z.string(), test_key: z.string(), live_key: z.string() }),
  mcp_url: z.string(),
});

/** What `<data dir>/demo.json` (0600) holds: the demo tenant's log-in, its live channel, and keys with every scope. */
export type Demo = z.output<typeof DemoFile>;

const fileOf = ({ dataDir }: Config): string => path.join(dataDir, "demo.json");

/**
 * The demo of this installation: made once, on an empty embedded database or when SVC_DEMO=on, and read from its file
 * afterwards with the address of today. Undefined where there is none.
 */
export async function openDemo(
  config: Config,
  parts: { engines: Engines; account: AccountCtx },
): Promise<Demo | undefined> {
  if (config.demo === false) return undefined;
  const known = readDemo(config);
  if (known) return write(config, await atTodaysAddress(config, parts, known));
  const wanted = config.demo ?? (parts.engines.embedded && (await parts.engines.db.tenant.count()) === 0);
  return wanted ? write(config, await make(config, parts)) : undefined;
}

function readDemo(config: Config): Demo | undefined {
  if (!existsSync(fileOf(config))) return undefined;
  const parsed = DemoFile.safeParse(JSON.parse(readFileSync(fileOf(config), "utf8")));
  return parsed.success ? parsed.data : undefined;
}

async function make(config: Config, { engines, account }: { engines: Engines; account: AccountCtx }): Promise<Demo> {
  const { db, sql, clickhouse, secret } = engines;
  const { clock } = account;
  const password = randomBase32(16);
  const seeded = await seedAccount(account, { email: EMAIL, password, tenantName: "Demo", isDemo: true });
  if (!seeded.keys) {
    throw new Error(
      `The demo's keys stand in ${fileOf(config)}, which is gone: set SVC_DEMO=off or use another data directory.`,
    );
  }
  const { tenantId, projectId, userId } = seeded;
  const landingBase = `${config.publicUrl}/demo/landing`;
  const { channelId } = await seedDemo(
    { db, sql, clock },
    { tenantId, landingBase, origin: new URL(config.publicUrl).origin },
  );
  const actor = {
    kind: "person",
    tenantId,
    userId,
    sessionId: "",
    role: "owner",
    scopes: scopesOfRole("owner"),
  } as const;
  const ctx = { db, sql, clickhouse, clock, actor, cursorKey: Buffer.from(secret), currency: config.currency };
  const keyOf = async (kind: "server" | "browser") => (await createChannelKey(ctx, { id: channelId, kind })).key;
  return {
    url: config.publicUrl,
    dashboard: { email: EMAIL, password },
    channel: { id: channelId, server_key: await keyOf("server"), browser_key: await keyOf("browser") },
    api: { tenant_id: tenantId, project_id: projectId, test_key: seeded.keys.test, live_key: seeded.keys.live },
    mcp_url: `${config.publicUrl}/v1/mcp`,
  };
}

/** The demo page must stay one of its channel's origins when svc moves to another port or name. */
async function atTodaysAddress(config: Config, { engines }: { engines: Engines }, demo: Demo): Promise<Demo> {
  const origin = new URL(config.publicUrl).origin;
  const channel = await engines.db.channel.findUnique({ where: { id: demo.channel.id } });
  if (channel && !channel.origins.includes(origin)) {
    await engines.db.channel.update({ where: { id: channel.id }, data: { origins: [...channel.origins, origin] } });
  }
  return { ...demo, url: config.publicUrl, mcp_url: `${config.publicUrl}/v1/mcp` };
}

async function write(config: Config, demo: Demo): Promise<Demo> {
  const draft = `${fileOf(config)}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(config));
  return demo;
}
