import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Engines } from "../../engines/start-engines";
import type { AccountCtx } from "../../identity/identity-ctx";
import { renewSeededAccount } from "../../identity/renew-seeded-account";
import { seedAccount } from "../../identity/seed-account";
import { randomBase32 } from "../../kernel/ids";
import { scopesOfRole } from "../../operation/actor";
import { createChannelKey } from "../channels/create-channel-key";
import { moveDemo } from "./move-demo";
import { seedDemo } from "./seed-demo";
import { resumeSimulatedTraffic, startSimulatedTraffic } from "./start-simulated-traffic";

const EMAIL = "demo@svc.example";
const LOST_KEYS_KEPT = 8;
/** The request details in audit entries about the demo's own keys, which no request created. */
const AT_START = { requestId: "start", address: "", userAgent: "svc" };

const DemoFile = z.object({
  url: z.string(),
  /** The endpoint for agents; absent in files of versions that had none. */
  mcp_url: z.string().optional(),
  dashboard: z.object({ email: z.string(), password: z.string() }),
  channel: z.object({ id: z.string(), server_key: z.string(), browser_key: z.string() }),
  api: z.object({ tenant_id: z.string(), project_id: z.string(), test_key: z.string(), live_key: z.string() }),
});

/**
 * The content of `<data dir>/demo.json` (0600): the demo tenant's login, its live channel, and keys with every scope.
 */
export type Demo = z.output<typeof DemoFile>;

/** The part of the configuration that the demo needs. */
export interface DemoConfig {
  dataDir: string;
  publicUrl: string;
  /** The billing currency, which the demo's prices are in. */
  currency: string;
  /** Undefined: only on an empty embedded database, and with simulated traffic. */
  demo: boolean | undefined;
}

interface DemoParts {
  engines: Engines;
  /** What creates its account. */
  account: Pick<AccountCtx, "db" | "clock" | "hasher">;
}

const fileOf = ({ dataDir }: DemoConfig): string => path.join(dataDir, "demo.json");

/**
 * Opens the demo of this installation. It is created once, with simulated traffic on an empty embedded database, without
 * it when SVC_DEMO=on, and later read from its file, with the current address. If the file is missing, for example because the first start was
 * interrupted, a new password and new keys replace the lost ones. Returns undefined if there is no demo.
 */
export async function openDemo(config: DemoConfig, parts: DemoParts): Promise<Demo | undefined> {
  if (config.demo === false) return undefined;
  const known = readDemo(config);
  if (known) {
    await resumeSimulatedTraffic(parts.engines);
    return write(config, await atTodaysAddress(config, parts, known));
  }
  const wanted = config.demo ?? (parts.engines.embedded && (await isDemoOrEmpty(parts.engines)));
  return wanted ? write(config, await make(config, parts)) : undefined;
}

async function isDemoOrEmpty({ db }: Engines): Promise<boolean> {
  return (await db.tenant.count()) === 0 || (await db.tenant.count({ where: { isDemo: true } })) > 0;
}

function readDemo(config: DemoConfig): Demo | undefined {
  const file = fileOf(config);
  if (!existsSync(file)) return undefined;
  try {
    return DemoFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new Error(
      `${file} is damaged: restore it, or delete it so that the next start creates a new password and keys.`,
      {
        cause,
      },
    );
  }
}

async function make(config: DemoConfig, { engines, account }: DemoParts): Promise<Demo> {
  const { db, sql } = engines;
  const { clock } = account;
  const password = randomBase32(16);
  const seeded = await seedAccount(account, { email: EMAIL, password, tenantName: "Demo", isDemo: true });
  const keys = seeded.keys ?? (await renew(account, { ...seeded, password }));
  const { tenantId, projectId, userId } = seeded;
  const landingBase = `${config.publicUrl}/demo/landing`;
  const { publicUrl: origin, currency } = config;
  const { channelId } = await seedDemo({ db, sql, clock }, { tenantId, landingBase, origin, currency });
  // Where anybody else has an account, invented traffic could be taken for theirs.
  if (config.demo === undefined && (await db.tenant.count({ where: { isDemo: false } })) === 0) {
    await startSimulatedTraffic({ db, sql, clock }, { tenantId, landingBase });
  }
  await resumeSimulatedTraffic(engines);
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
  const keyOf = async (kind: "server" | "browser") => (await createChannelKey.run(ctx, { id: channelId, kind })).key;
  return {
    ...addressesAt(config),
    dashboard: { email: EMAIL, password },
    channel: { id: channelId, server_key: await keyOf("server"), browser_key: await keyOf("browser") },
    api: { tenant_id: tenantId, project_id: projectId, test_key: keys.test, live_key: keys.live },
  };
}

/** Resets only the seeded demo account: an account that a person created with the same email keeps its password. */
async function renew(account: DemoParts["account"], lost: Parameters<typeof renewSeededAccount>[1]) {
  const { isDemo } = await account.db.tenant.findUniqueOrThrow({ where: { id: lost.tenantId } });
  if (!isDemo) throw new Error(`${EMAIL} is the email of another account: set SVC_DEMO=off, or remove that account.`);
  return renewSeededAccount(account, lost);
}

/** A channel has at most 20 keys; without this cleanup, the tenth lost file would reach that limit. */
async function revokeOldKeys({ db }: Engines, { channelId, now }: { channelId: string; now: Date }): Promise<void> {
  const old = await db.channelKey.findMany({
    where: { channelId, revokedAt: null },
    orderBy: { createdAt: "desc" },
    skip: LOST_KEYS_KEPT,
    select: { id: true },
  });
  await db.channelKey.updateMany({ where: { id: { in: old.map(({ id }) => id) } }, data: { revokedAt: now } });
}

/** When svc moves, the demo page must remain an origin of its channel, and its links must lead here. */
async function atTodaysAddress(
  config: DemoConfig,
  { engines: { db, sql }, account: { clock } }: DemoParts,
  demo: Demo,
): Promise<Demo> {
  const { tenant_id: tenantId } = demo.api;
  await moveDemo({ db, sql, clock }, { tenantId, channelId: demo.channel.id, from: demo.url, to: config.publicUrl });
  return { ...demo, ...addressesAt(config) };
}

const addressesAt = ({ publicUrl }: DemoConfig) => ({ url: publicUrl, mcp_url: `${publicUrl}/v1/mcp` });

async function write(config: DemoConfig, demo: Demo): Promise<Demo> {
  const draft = `${fileOf(config)}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(config));
  return demo;
}
