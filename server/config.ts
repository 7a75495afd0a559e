import cluster from "node:cluster";
import path from "node:path";
import { getHeapStatistics } from "node:v8";
import type { z } from "zod";
import type { Demo } from "./ads/demo/open-demo";
import { readUpstreams } from "./cloud/ai/gateway/read-upstreams";
import type { OperatorUpstream } from "./cloud/ai/gateway/upstream";
import { findRoot } from "./engines/find-root";
import type { S3Settings } from "./engines/objects/s3-client";
import type { EngineMember } from "./engines/start-engines";
import type { RuntimeConfig } from "./engines/start-runtime";
import { Environment } from "./environment";
import { LOOPBACK_HOSTS } from "./kernel/loopback-hosts";
import { objectStoreOf } from "./object-store-config";
import { stripeOf } from "./payment-config";
import { runtimeOf } from "./runtime-config";
import { tenantDomainOf } from "./tenant-domains";

/** One of the processes behind one port. */
export interface Member extends EngineMember {
  /** Absent in the first process of a start, which opens the demo. */
  demo?: { opened: Demo | undefined };
}

/** The checked configuration, in the units that the code uses. */
export interface Config extends RuntimeConfig {
  /** The folder that contains package.json. */
  rootDir: string;
  dataDir: string;
  host: string;
  port: number;
  /** The origin of every link that svc creates. */
  publicUrl: string;
  /** Additional accepted values of `Host`, next to the host of PUBLIC_URL and the loopback names. */
  allowedHosts: string[];
  /** PUBLIC_URL is a loopback address: development conveniences are on. */
  isLoopback: boolean;
  /** The bearer token of `/metrics` and of the details of `/readyz`. */
  metricsToken: string | undefined;
  /** The host name below which each bucket has a host of its own: `<bucket>.<s3Host>`. */
  s3Host: string | undefined;
  /** The domain below which each workspace has a host; undefined: their editor is that of the dashboard. */
  workspacesDomain: string | undefined;
  /** The same for edge functions; undefined: none can be published. */
  edgeDomain: string | undefined;
  trustedProxies: string[];
  secret: string | undefined;
  /** The secret before it, under which data keys of objects may still be wrapped. */
  previousSecret: string | undefined;
  databaseUrl: string | undefined;
  clickhouseUrl: string | undefined;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  /** The server of the semantic engine; undefined: offers are found by words only. */
  embeddings: { url: string; model: string; apiKey: string | undefined; cosineMin: number } | undefined;
  /** How much of the disk of stored objects may be in use, by all files on it: 0 to 1. */
  objectsDiskShare: number;
  /** An external object store; undefined: files in the data directory. */
  s3: S3Settings | undefined;
  /** The chat upstreams of the operators' file, with their keys. */
  chatUpstreams: readonly OperatorUpstream[];
  /** The payment processor; undefined: invoices stay open. */
  stripe: { secretKey: string; webhookSecret: string } | undefined;
  /** undefined: on if the embedded database is empty. */
  demo: boolean | undefined;
  /** By default `open` while `PUBLIC_URL` is a loopback address: others reach svc otherwise. */
  signup: "open" | "invite";
  roles: ReadonlySet<"web" | "worker">;
  /** How many processes serve requests on the port. */
  webProcesses: number;
  /** Set by the supervising process in each process that serves requests, if there are several. */
  member?: Member | undefined;
  logLevel: string;
  currency: string;
  publisherShare: number;
  /** The id of this installation on the IAB's Global Vendor List. */
  tcfVendorId: number | undefined;
  /** A file of networks whose clicks and impressions are not counted. */
  dataCenterRanges: string | undefined;
  /** The minimum price when competing bids would set a lower one. */
  reserve: { cpcMicros: number; cpmMicros: number };
  /** Memory limit of this process for the index of products and creatives. */
  catalogBytes: number;
  /** Maximum number of products and creatives of all tenants together. */
  itemsMax: number;
  retentionRawDays: number;
  retentionRollupDays: number;
  /**
   * Maximum size of facts in the write-ahead file that are not yet in ClickHouse; undefined: a share of the free disk.
   */
  walBytesMax: number | undefined;
  /** Where to report a vulnerability: `mailto:…` or `https://…`, for /.well-known/security.txt. */
  securityContact: string | undefined;
  /** PEM files, if svc terminates TLS itself. */
  tls: { certFile: string; keyFile: string } | undefined;
  dev: boolean;
}

/**
 * The environment of a web process, besides that of the supervising process, which sends it the configuration. Each read,
 * write and fsync of a file occupies one of libuv's threads, of which there are 4 by default.
 */
export const WEB_PROCESS_ENV = { SVC_WEB_PROCESS: "on", UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? "16" };

/** Whether a supervising process of svc started this process; process managers use node:cluster too. */
export const isWebProcess = (): boolean =>
  cluster.isWorker && process.env.SVC_WEB_PROCESS === WEB_PROCESS_ENV.SVC_WEB_PROCESS;

/** The variables of the environment, checked one by one and together. */
function readEnvironment(env: NodeJS.ProcessEnv): z.output<typeof Environment> {
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
  checkProcesses(e);
  if (e.SVC_WEB_PROCESSES === 1 && e.REDIS_URL && !(e.DATABASE_URL && e.CLICKHOUSE_URL)) {
    throw new Error(
      "REDIS_URL is for processes that share their engines: set DATABASE_URL and CLICKHOUSE_URL too, or SVC_WEB_PROCESSES for several processes on one port, or leave it out.",
    );
  }
  checkS3Host(e);
  checkTls(e);
  return e;
}

/** Reads the environment; throws one message that names every invalid variable and the expected value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const e = readEnvironment(env);
  const rootDir = findRoot(import.meta.dirname);
  const publicUrl = new URL(e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).origin;
  return {
    rootDir,
    dataDir: path.resolve(rootDir, e.SVC_DATA_DIR),
    host: e.HOST,
    port: e.PORT,
    publicUrl,
    ...opennessOf(e, publicUrl),
    allowedHosts: e.SVC_ALLOWED_HOSTS,
    s3Host: e.S3_HOST,
    workspacesDomain: tenantDomainOf("WORKSPACES_DOMAIN", e, publicUrl),
    edgeDomain: tenantDomainOf("EDGE_DOMAIN", e, publicUrl),
    trustedProxies: e.TRUSTED_PROXIES,
    secret: e.SVC_SECRET,
    previousSecret: e.SVC_SECRET_PREVIOUS,
    databaseUrl: e.DATABASE_URL,
    clickhouseUrl: e.CLICKHOUSE_URL,
    redisUrl: e.REDIS_URL,
    smtpUrl: e.SMTP_URL,
    embeddings: embeddingsOf(e),
    ...objectStoreOf(e),
    chatUpstreams: e.CHAT_UPSTREAMS === undefined ? [] : readUpstreams(path.resolve(rootDir, e.CHAT_UPSTREAMS), env),
    ...runtimeOf(e),
    stripe: stripeOf(e),
    demo: e.SVC_DEMO === undefined ? undefined : e.SVC_DEMO === "on",
    roles: new Set(e.ROLE),
    webProcesses: e.SVC_WEB_PROCESSES,
    logLevel: e.LOG_LEVEL,
    metricsToken: e.METRICS_TOKEN,
    currency: e.SVC_CURRENCY,
    publisherShare: e.SVC_PUBLISHER_SHARE,
    tcfVendorId: e.SVC_TCF_VENDOR_ID,
    dataCenterRanges: e.SVC_DATA_CENTER_RANGES,
    reserve: { cpcMicros: e.SVC_RESERVE_CPC_MICROS, cpmMicros: e.SVC_RESERVE_CPM_MICROS },
    ...catalogLimits(e),
    retentionRawDays: e.SVC_RETENTION_RAW_DAYS,
    retentionRollupDays: e.SVC_RETENTION_ROLLUP_DAYS,
    walBytesMax: e.SVC_WAL_MAX_MB === undefined ? undefined : e.SVC_WAL_MAX_MB * 2 ** 20,
    securityContact: e.SVC_SECURITY_CONTACT,
    tls: e.TLS_CERT && e.TLS_KEY ? { certFile: e.TLS_CERT, keyFile: e.TLS_KEY } : undefined,
    dev: e.SVC_DEV === "on",
  };
}

function opennessOf({ SVC_SIGNUP }: z.output<typeof Environment>, publicUrl: string) {
  const isLoopback = LOOPBACK_HOSTS.has(new URL(publicUrl).hostname);
  return { isLoopback, signup: SVC_SIGNUP ?? (isLoopback ? ("open" as const) : ("invite" as const)) };
}

function checkTls({ TLS_CERT: cert, TLS_KEY: key }: z.output<typeof Environment>): void {
  if ((cert === undefined) !== (key === undefined))
    throw new Error("TLS_CERT and TLS_KEY belong together: set both to PEM files, or neither.");
}

/** All requests below S3_HOST are for buckets, so the pages of svc must have another host. */
function checkS3Host({ S3_HOST: host, PUBLIC_URL: publicUrl }: z.output<typeof Environment>): void {
  if (host === undefined || publicUrl === undefined) return;
  const { hostname } = new URL(publicUrl);
  if (hostname !== host && !hostname.endsWith(`.${host}`)) return;
  throw new Error(
    `S3_HOST=${host} would take the requests for PUBLIC_URL: set it to another host, such as s3.${hostname}.`,
  );
}

/** Vectors of different models cannot be compared, so there is no default model. */
function embeddingsOf(e: z.output<typeof Environment>): Config["embeddings"] {
  if ((e.EMBEDDINGS_URL === undefined) !== (e.EMBEDDINGS_MODEL === undefined)) {
    throw new Error(
      "EMBEDDINGS_URL and EMBEDDINGS_MODEL belong together: set them to the base URL of an OpenAI-compatible API, such as http://localhost:11434/v1, and the name of one of its embedding models, or leave both out.",
    );
  }
  if (e.EMBEDDINGS_URL === undefined || e.EMBEDDINGS_MODEL === undefined) return undefined;
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = e;
  return { url, model, apiKey, cosineMin: e.EMBEDDINGS_COSINE_MIN };
}

/** Counters in memory would give each process limits and caps of its own, so several processes need Redis. */
function checkProcesses(e: z.output<typeof Environment>): void {
  const processes = e.SVC_WEB_PROCESSES;
  if (processes === 1) return;
  if (!e.REDIS_URL) {
    throw new Error(
      `SVC_WEB_PROCESSES=${processes} requires REDIS_URL, because the processes share rate limits, frequency caps and notifications: set it to a Redis or Valkey server, such as redis://127.0.0.1:6379, or set SVC_WEB_PROCESSES=1.`,
    );
  }
  if (!e.ROLE.includes("web")) {
    throw new Error("SVC_WEB_PROCESSES is for processes that serve requests: add web to ROLE, or leave it out.");
  }
  if (e.SVC_DEV === "on") {
    throw new Error("npm run dev runs one process: leave SVC_WEB_PROCESSES out, or use npm start.");
  }
}

/** The share of Node's memory limit that the index of products and creatives gets by default. */
const CATALOG_SHARE = 0.4;
/** The typical size of a product or creative in the index; see test/bench/catalog-memory.ts. */
const BYTES_PER_ITEM = 4096;

function catalogLimits(e: { SVC_CATALOG_MIB?: number | undefined; SVC_ITEMS_MAX?: number | undefined }) {
  const share = Math.floor(getHeapStatistics().heap_size_limit * CATALOG_SHARE);
  const catalogBytes = e.SVC_CATALOG_MIB === undefined ? share : e.SVC_CATALOG_MIB * 1024 * 1024;
  return { catalogBytes, itemsMax: e.SVC_ITEMS_MAX ?? Math.floor(catalogBytes / BYTES_PER_ITEM) };
}

/** The sender of emails. */
export const senderOf = ({ publicUrl }: Pick<Config, "publicUrl">): string =>
  `svc <no-reply@${new URL(publicUrl).hostname}>`;
