import { z } from "zod";
import { objectStoreVariables } from "./object-store-config";
import { paymentVariables } from "./payment-config";
import { runtimeVariables } from "./runtime-config";
import { isHostAndPort } from "./surfaces/http/check-host";
import { tenantDomainVariables } from "./tenant-domains";

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );
const hosts = list
  .transform((items) => items.map((item) => item.toLowerCase()))
  .refine((items) => items.every(isHostAndPort), {
    error:
      "expected host names or addresses with or without a port, comma-separated, such as svc.internal or 10.0.0.5:3000",
  });
const s3Host = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, "expected a host name without a port, such as s3.example.com")
  .optional();
const megabytes = { error: "expected a whole number of megabytes from 1" };
/** More processes than any machine has cores for; each has its own connections and its own index. */
const WEB_PROCESSES_MAX = 64;
const processes = { error: `expected a whole number from 1 to ${WEB_PROCESSES_MAX}` };
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
/** The paths of svc are fixed: its links and cookies would not work below a path prefix. */
const origin = url("http", "https").refine((text) => text === undefined || isOrigin(text), {
  error: "expected no path, query or fragment, for example https://svc.example or http://localhost:3000",
});

function isOrigin(text: string): boolean {
  // Texts that are not an HTTP URL already fail the check above.
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return true;
  const { pathname, username, password } = new URL(text);
  return pathname === "/" && username === "" && password === "" && !/[?#]/.test(text);
}

/** `/embeddings` is appended to it. */
const embeddingsUrl = url("http", "https").refine((text) => text === undefined || isBaseUrl(text), {
  error:
    "expected a base URL without a user name, password, query or fragment, for example http://localhost:11434/v1; the key belongs in EMBEDDINGS_API_KEY",
});
const cosine = { error: "expected a number from 0 to 1" };

function isBaseUrl(text: string): boolean {
  // Texts that are not a URL already fail the check of the scheme.
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === "" && password === "" && !/[?#]/.test(text);
}

/** The environment variables of svc, checked one by one. */
export const Environment = z.object({
  PORT: z.coerce.number(port).int(port).min(0, port).max(65_535, port).default(3000),
  HOST: z.string().default("0.0.0.0"),
  PUBLIC_URL: origin,
  SVC_ALLOWED_HOSTS: hosts,
  TRUSTED_PROXIES: list,
  S3_HOST: s3Host,
  SVC_DATA_DIR: z.string().default(".data"),
  SVC_SECRET: z.string().min(32, "expected at least 32 characters").optional(),
  SVC_SECRET_PREVIOUS: z.string().min(32, "expected at least 32 characters").optional(),
  DATABASE_URL: url("postgres", "postgresql"),
  CLICKHOUSE_URL: url("http", "https"),
  REDIS_URL: url("redis", "rediss"),
  SMTP_URL: url("smtp", "smtps"),
  EMBEDDINGS_URL: embeddingsUrl,
  EMBEDDINGS_MODEL: z.string().max(200, "expected at most 200 characters").optional(),
  EMBEDDINGS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "expected printable ASCII characters without spaces")
    .optional(),
  EMBEDDINGS_COSINE_MIN: z.coerce.number(cosine).min(0, cosine).max(1, cosine).default(0.6),
  ...objectStoreVariables,
  CHAT_UPSTREAMS: z.string().optional(),
  ...runtimeVariables,
  ...paymentVariables,
  ...tenantDomainVariables,
  SVC_DEMO: flag,
  SVC_SIGNUP: z.enum(["open", "invite"]).optional(),
  ROLE: roles,
  SVC_WEB_PROCESSES: z.coerce
    .number(processes)
    .int(processes)
    .min(1, processes)
    .max(WEB_PROCESSES_MAX, processes)
    .default(1),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  METRICS_TOKEN: z.string().min(16, "expected at least 16 characters").optional(),
  SVC_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, "expected an ISO 4217 code such as USD")
    .default("USD"),
  SVC_PUBLISHER_SHARE: z.coerce.number().min(0).max(1).default(0.7),
  SVC_TCF_VENDOR_ID: z.coerce.number().int().min(1).max(65_535).optional(),
  SVC_DATA_CENTER_RANGES: z.string().optional(),
  // Both are worth the same at a usual click rate of 1%. They are the minimum price when an advertiser is the only
  // bidder.
  SVC_RESERVE_CPC_MICROS: z.coerce.number().int().min(0).default(50_000),
  SVC_RESERVE_CPM_MICROS: z.coerce.number().int().min(0).default(500_000),
  SVC_CATALOG_MIB: z.coerce.number().int().min(1).optional(),
  SVC_ITEMS_MAX: z.coerce.number().int().min(0).optional(),
  SVC_RETENTION_RAW_DAYS: z.coerce.number().int().min(1).default(400),
  SVC_RETENTION_ROLLUP_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(5 * 365),
  SVC_WAL_MAX_MB: z.coerce.number(megabytes).int(megabytes).min(1, megabytes).optional(),
  SVC_SECURITY_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      "expected mailto: and an address, or a URL that begins with https://",
    )
    .optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  SVC_DEV: flag,
});
