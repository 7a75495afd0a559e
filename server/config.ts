import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );
const port = { error: "expected a whole number from 0 to 65535" };
const flag = z.enum(["on", "off"]).optional();
const url = (...schemes: string[]) =>
  z
    .url({
      protocol: new RegExp(`^(${schemes.join("|")})$`),
      error: `expected a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    })
    .optional();

const roles = z
  .string()
  .default("web,worker")
  .transform((text) => text.split(",").map((item) => item.trim()))
  .pipe(z.array(z.enum(["web", "worker"])).min(1));
/** Paths of svc are fixed: behind a prefix its links and cookies would not work. */
const origin = url("http", "https").refine((text) => text === undefined || isOrigin(text), {
  error: "expected no path, query or fragment, only such as https://svc.example or http://localhost:3000",
});

function isOrigin(text: string): boolean {
  // What is no such URL at all has been refused for that.
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return true;
  const { pathname, username, password } = new URL(text);
  return pathname === "/" && username === "" && password === "" && !/[?#]/.test(text);
}

const Environment = z.object({
  PORT: z.coerce.number(port).int(port).min(0, port).max(65_535, port).default(3000),
  HOST: z.string().default("0.0.0.0"),
  PUBLIC_URL: origin,
  TRUSTED_PROXIES: list,
  SVC_DATA_DIR: z.string().default(".data"),
  SVC_SECRET: z.string().min(32, "expected at least 32 characters").optional(),
  DATABASE_URL: url("postgres", "postgresql"),
  CLICKHOUSE_URL: url("http", "https"),
  REDIS_URL: url("redis", "rediss"),
  SMTP_URL: url("smtp", "smtps"),
  SVC_DEMO: flag,
  SVC_SIGNUP: z.enum(["open", "invite"]).default("open"),
  ROLE: roles,
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  SVC_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, "expected an ISO 4217 code such as USD")
    .default("USD"),
  SVC_PUBLISHER_SHARE: z.coerce.number().min(0).max(1).default(0.7),
  SVC_TCF_VENDOR_ID: z.coerce.number().int().min(1).max(65_535).optional(),
  SVC_DATA_CENTER_RANGES: z.string().optional(),
  SVC_RESERVE_CPC_MICROS: z.coerce.number().int().min(0).default(0),
  SVC_RESERVE_CPM_MICROS: z.coerce.number().int().min(0).default(0),
  SVC_RETENTION_RAW_DAYS: z.coerce.number().int().min(1).default(400),
  SVC_RETENTION_ROLLUP_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(5 * 365),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  SVC_DEV: flag,
});

/** Everything that svc can be told from outside, checked and in its final units. */
export interface Config {
  /** The folder that holds package.json. */
  rootDir: string;
  dataDir: string;
  host: string;
  port: number;
  /** An origin; the only source of links that svc hands out. */
  publicUrl: string;
  /** PUBLIC_URL points at this machine: development conveniences are on. */
  isLoopback: boolean;
  trustedProxies: string[];
  secret: string | undefined;
  databaseUrl: string | undefined;
  clickhouseUrl: string | undefined;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  /** undefined: on for an empty embedded database. */
  demo: boolean | undefined;
  signup: "open" | "invite";
  roles: ReadonlySet<"web" | "worker">;
  logLevel: string;
  currency: string;
  publisherShare: number;
  /** This installation on the IAB's Global Vendor List. */
  tcfVendorId: number | undefined;
  /** A file of networks whose clicks and impressions do not count. */
  dataCenterRanges: string | undefined;
  /** The least that is charged where competitors would set a lower price. */
  reserve: { cpcMicros: number; cpmMicros: number };
  retentionRawDays: number;
  retentionRollupDays: number;
  /** svc terminates TLS itself: files in PEM. */
  tls: { certFile: string; keyFile: string } | undefined;
  dev: boolean;
}

/** Reads the environment; throws one sentence that names each wrong variable and what it should be. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(present);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`);
    throw new Error(`Wrong configuration. ${problems.join("; ")}.`);
  }
  const e = parsed.data;
  if (e.DATABASE_URL && !e.SVC_SECRET) {
    throw new Error(
      "SVC_SECRET is required with DATABASE_URL: set it to at least 32 random characters, the same for every process.",
    );
  }
  if (e.REDIS_URL && !(e.DATABASE_URL && e.CLICKHOUSE_URL)) {
    throw new Error(
      "REDIS_URL is for processes that share their engines: set DATABASE_URL and CLICKHOUSE_URL too, or leave it out.",
    );
  }
  if ((e.TLS_CERT === undefined) !== (e.TLS_KEY === undefined)) {
    throw new Error("TLS_CERT and TLS_KEY belong together: set both to PEM files, or neither.");
  }
  const rootDir = findRoot(import.meta.dirname);
  const publicUrl = new URL(e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).origin;
  return {
    rootDir,
    dataDir: path.resolve(rootDir, e.SVC_DATA_DIR),
    host: e.HOST,
    port: e.PORT,
    publicUrl,
    isLoopback: LOOPBACK.has(new URL(publicUrl).hostname),
    trustedProxies: e.TRUSTED_PROXIES,
    secret: e.SVC_SECRET,
    databaseUrl: e.DATABASE_URL,
    clickhouseUrl: e.CLICKHOUSE_URL,
    redisUrl: e.REDIS_URL,
    smtpUrl: e.SMTP_URL,
    demo: e.SVC_DEMO === undefined ? undefined : e.SVC_DEMO === "on",
    signup: e.SVC_SIGNUP,
    roles: new Set(e.ROLE),
    logLevel: e.LOG_LEVEL,
    currency: e.SVC_CURRENCY,
    publisherShare: e.SVC_PUBLISHER_SHARE,
    tcfVendorId: e.SVC_TCF_VENDOR_ID,
    dataCenterRanges: e.SVC_DATA_CENTER_RANGES,
    reserve: { cpcMicros: e.SVC_RESERVE_CPC_MICROS, cpmMicros: e.SVC_RESERVE_CPM_MICROS },
    retentionRawDays: e.SVC_RETENTION_RAW_DAYS,
    retentionRollupDays: e.SVC_RETENTION_ROLLUP_DAYS,
    tls: e.TLS_CERT && e.TLS_KEY ? { certFile: e.TLS_CERT, keyFile: e.TLS_KEY } : undefined,
    dev: e.SVC_DEV === "on",
  };
}

/** The bundled server runs from a build folder, tests from the sources: both find the project above them. */
function findRoot(from: string): string {
  for (let dir = from; ; dir = path.dirname(dir)) {
    const file = path.join(dir, "package.json");
    if (existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { name?: string }).name === "svc") return dir;
    if (dir === path.dirname(dir)) throw new Error("svc's package.json was not found above the server's files.");
  }
}
