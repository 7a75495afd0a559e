import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { createChannelKey } from "./ads/channels/create-channel-key";
import { moveDemo } from "./ads/demo/move-demo";
import { seedDemo } from "./ads/demo/seed-demo";
import type { Config } from "./config";
import type { Engines } from "./engines/start-engines";
import { scopesOfRole } from "./identity/actors/actor";
import type { AccountCtx } from "./identity/identity-ctx";
import { renewSeededAccount } from "./identity/renew-seeded-account";
import { seedAccount } from "./identity/seed-account";
import { randomBase32 } from "./kernel/ids";

const EMAIL = "demo@svc.example";
const LOST_KEYS_KEPT = 8;
/** What the audit log says of the demo's own keys: no request asked for them. */
const AT_START = { requestId: "start", address: "", userAgent: "svc" };

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
 * afterwards with the address of today. Where the file is gone (or a first start was cut short before it was written),
 * a new password and new keys take the place of the lost ones. Undefined where there is no demo.
 */
export async function openDemo(
  config: Config,
  parts: { engines: Engines; account: AccountCtx },
): Promise<Demo | undefined> {
  if (config.demo === false) return undefined;
  const known = readDemo(config);
  if (known) return write(config, await atTodaysAddress(config, parts, known));
  const wanted = config.demo ?? (parts.engines.embedded && (await isDemoOrEmpty(parts.engines)));
  return wanted ? write(config, await make(config, parts)) : undefined;
}

async function isDemoOrEmpty({ db }: Engines): Promise<boolean> {
  return (await db.tenant.count()) === 0 || (await db.tenant.count({ where: { isDemo: true } })) > 0;
}

function readDemo(config: Config): Demo | undefined {
  const file = fileOf(config);
  if (!existsSync(file)) return undefined;
  try {
    return DemoFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new Error(`${file} is damaged: restore it, or delete it, and the next start makes a new password and keys.`, {
      cause,
    });
  }
}

async function make(config: Config, { engines, account }: { engines: Engines; account: AccountCtx }): Promise<Demo> {
  const { db, sql } = engines;
  const { clock } = account;
  const password = randomBase32(16);
  const seeded = await seedAccount(account, { email: EMAIL, password, tenantName: "Demo", isDemo: true });
  const keys = seeded.keys ?? (await renew(account, { ...seeded, password }));
  const { tenantId, projectId, userId } = seeded;
  const landingBase = `${config.publicUrl}/demo/landing`;
  const { channelId } = await seedDemo({ db, sql, clock }, { tenantId, landingBase, origin: config.publicUrl });
  const actor = {
    kind: "person",
    tenantId,
    userId,
    sessionId: "",
    role: "owner",
    scopes: scopesOfRole("owner"),
  } as const;
  const ctx = { db, clock, actor, request: AT_START };
  await revokeOldKeys(engines, { channelId, now: clock.now() });
  const keyOf = async (kind: "server" | "browser") => (await createChannelKey(ctx, { id: channelId, kind })).key;
  return {
    url: config.publicUrl,
    dashboard: { email: EMAIL, password },
    channel: { id: channelId, server_key: await keyOf("server"), browser_key: await keyOf("browser") },
    api: { tenant_id: tenantId, project_id: projectId, test_key: keys.test, live_key: keys.live },
    mcp_url: `${config.publicUrl}/v1/mcp`,
  };
}

/** Only what was seeded as the demo: an account that somebody opened under the same address keeps its password. */
async function renew(account: AccountCtx, lost: Parameters<typeof renewSeededAccount>[1]) {
  const { isDemo } = await account.db.tenant.findUniqueOrThrow({ where: { id: lost.tenantId } });
  if (!isDemo) throw new Error(`${EMAIL} is somebody's account here: set SVC_DEMO=off, or remove that account.`);
  return renewSeededAccount(account, lost);
}

/** A channel takes 20 keys; without this the tenth lost file would end in a demo that takes no more. */
async function revokeOldKeys({ db }: Engines, { channelId, now }: { channelId: string; now: Date }): Promise<void> {
  const old = await db.channelKey.findMany({
    where: { channelId, revokedAt: null },
    orderBy: { createdAt: "desc" },
    skip: LOST_KEYS_KEPT,
    select: { id: true },
  });
  await db.channelKey.updateMany({ where: { id: { in: old.map(({ id }) => id) } }, data: { revokedAt: now } });
}

/** The demo page must stay one of its channel's origins, and its links must lead here, when svc moves. */
async function atTodaysAddress(
  config: Config,
  { engines: { db, sql }, account: { clock } }: { engines: Engines; account: AccountCtx },
  demo: Demo,
): Promise<Demo> {
  const { tenant_id: tenantId } = demo.api;
  await moveDemo({ db, sql, clock }, { tenantId, channelId: demo.channel.id, from: demo.url, to: config.publicUrl });
  return { ...demo, url: config.publicUrl, mcp_url: `${config.publicUrl}/v1/mcp` };
}

async function write(config: Config, demo: Demo): Promise<Demo> {
  const draft = `${fileOf(config)}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(config));
  return demo;
}
