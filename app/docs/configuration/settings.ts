import { PRODUCT_SETTINGS } from "./product-settings";
import type { SettingGroup } from "./setting";
import { WORKLOAD_SETTINGS } from "./workload-settings";

/** Every environment variable of svc, in the order of the page. A test compares them with the code that reads them. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    id: "addresses",
    title: "Addresses and hosts",
    settings: [
      {
        names: ["PORT", "HOST"],
        byDefault: "3000, `0.0.0.0`",
        meaning: "The port and the address that svc listens on.",
      },
      {
        names: ["PUBLIC_URL"],
        byDefault: "`http://localhost:$PORT`",
        meaning:
          "An origin without a path: the only source of links, snippets and cookie attributes. The `Host` header is never used for them. While it is a loopback address, conveniences for development are on: open sign-up, the outbox page, approved advertisers, registries on localhost.",
      },
      {
        names: ["SVC_ALLOWED_HOSTS"],
        byDefault: "none",
        meaning:
          "Further values of the `Host` header, comma-separated `name` or `name:port`, for load balancers that rewrite it. All others than those of `PUBLIC_URL` and loopback names are rejected.",
      },
      {
        names: ["TRUSTED_PROXIES"],
        byDefault: "none",
        meaning: "Addresses or networks, comma-separated, whose `X-Forwarded-For` is used.",
      },
      {
        names: ["TLS_CERT", "TLS_KEY"],
        byDefault: "off",
        meaning: "PEM files: svc terminates TLS itself, version 1.3 only. Both or neither.",
      },
    ],
  },
  {
    id: "tenant-hosts",
    title: "Hosts of buckets, workspaces and edge functions",
    settings: [
      {
        names: ["S3_HOST"],
        byDefault: "off",
        meaning:
          "A host name without a port, neither that of `PUBLIC_URL` nor above it, below which each bucket of svc's own S3 endpoint has a host: `<bucket>.<S3_HOST>`. `PUBLIC_URL` + `/v1/s3` works in any case.",
      },
      {
        names: ["WORKSPACES_DOMAIN"],
        byDefault: "`workspaces.localhost` if `PUBLIC_URL` is a loopback address, else off",
        meaning:
          "A domain apart from the other hosts of svc, below which each workspace with code-server has a host. Point DNS, the certificate and the proxy at `*.` below it. Without it workspaces have the built-in editor.",
      },
      {
        names: ["EDGE_DOMAIN"],
        byDefault: "`edge.localhost` if `PUBLIC_URL` is a loopback address, else off",
        meaning:
          "A domain apart from the other hosts of svc, below which each edge function has a host. It should be on the public suffix list (https://publicsuffix.org), so that browsers let no function set cookies for another. Point DNS, the certificate and the proxy at `*.` below it. Without it no edge function can be published.",
      },
    ],
  },
  {
    id: "connections",
    title: "Connections of clients",
    settings: [
      {
        names: ["CONNECTIONS_PER_ADDRESS"],
        byDefault: "64",
        meaning:
          "Requests to edge functions, and connections to public ports, that one client can have open in a process: an IPv4 address or the /64 of an IPv6 address. Clients on the same machine have no limit while `PUBLIC_URL` is a loopback address. Behind a proxy set `TRUSTED_PROXIES`.",
      },
      {
        names: ["HTTP_CONNECTIONS_PER_ADDRESS"],
        byDefault: "256",
        meaning:
          "Connections to `PORT`, idle ones included, that one client can have open in a process: an IPv4 address or the /64 of an IPv6 address. For one more its oldest idle connection is closed; if none is idle, the new one gets 503. A client on the same machine has 16 times as many, and the proxies of `TRUSTED_PROXIES` have no limit.",
      },
    ],
  },
  {
    id: "engines",
    title: "State, secret and engines",
    settings: [
      {
        names: ["SVC_DATA_DIR"],
        byDefault: "`.data`",
        meaning:
          "The state of the embedded engines, the generated secret, the write-ahead file and the journal of chat requests. Deleting it resets the installation. Delete the pods first, because files of running pods are mounted in it.",
      },
      {
        names: ["SVC_SECRET"],
        byDefault: "generated into the data directory",
        meaning: "The root of every derived key, at least 32 characters. Required with `DATABASE_URL`.",
      },
      {
        names: ["SVC_SECRET_PREVIOUS"],
        byDefault: "none",
        meaning:
          "The secret before it, under which encrypted objects can still be read until `admin rewrap-object-keys` has encrypted their data keys under `SVC_SECRET`.",
      },
      {
        names: ["DATABASE_URL"],
        byDefault: "embedded PostgreSQL 18",
        meaning:
          "PostgreSQL 15 or newer. SQL databases of edge functions need a superuser there, and a server on Linux that was started with `ulimit -d` (KiB, such as 524288; at most 2 GiB).",
      },
      {
        names: ["CLICKHOUSE_URL"],
        byDefault: "embedded ClickHouse 26",
        meaning: "ClickHouse 24.8 or newer: `http://user:password@host:8123/database`.",
      },
      {
        names: ["REDIS_URL"],
        byDefault: "counters in the process",
        meaning:
          "Redis or Valkey. Required with `SVC_WEB_PROCESSES` above 1 and as soon as two processes share a database; otherwise possible only together with `DATABASE_URL` and `CLICKHOUSE_URL`.",
      },
    ],
  },
  {
    id: "stores",
    title: "Objects, events and email",
    settings: [
      {
        names: ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
        byDefault: "objects are files in the data directory",
        meaning:
          "An external S3 store for objects, http or https, and a bucket in it that belongs to this installation alone. All four or none.",
      },
      {
        names: ["S3_REGION", "S3_FORCE_PATH_STYLE"],
        byDefault: "`us-east-1`, `on`",
        meaning: "Of that store. `off` puts the name of the bucket before the host.",
      },
      {
        names: ["SVC_OBJECTS_DISK_SHARE"],
        byDefault: "0.95",
        meaning:
          "Above 0, up to 1: the share of the data directory's disk, files of other programs included, above which uploads get 503. Ignored with `S3_ENDPOINT`.",
      },
      {
        names: ["SVC_WAL_MAX_MB"],
        byDefault: "a quarter of the free disk, 64 to 16,384",
        meaning:
          "How many MB of events can wait for ClickHouse in the write-ahead file. Set it when several processes share a disk.",
      },
      {
        names: ["SMTP_URL"],
        byDefault:
          "while `PUBLIC_URL` is a loopback address, an outbox page with the email of the reader's own tenant, else off",
        meaning: "`smtp://user:password@host:587`",
      },
    ],
  },
  {
    id: "processes",
    title: "Processes and logs",
    settings: [
      {
        names: ["ROLE"],
        byDefault: "`web,worker`",
        meaning:
          "What a process does. `web` alone runs no jobs; `worker` alone serves only `/healthz`, `/readyz` and `/metrics`.",
      },
      {
        names: ["SVC_WEB_PROCESSES"],
        byDefault: "1",
        meaning:
          "How many processes (1 to 64) serve requests on the port, one per core. More than one requires `REDIS_URL`, with embedded or your own engines.",
      },
      {
        names: ["UV_THREADPOOL_SIZE"],
        byDefault: "16",
        meaning: "Threads of Node for files and DNS. Each read, write and sync of a stored object occupies one.",
      },
      { names: ["LOG_LEVEL"], byDefault: "`info`", meaning: "Logs are JSON on standard output." },
      {
        names: ["METRICS_TOKEN"],
        byDefault: "off",
        meaning:
          "The bearer token of `/metrics` and of the details of `/readyz`, at least 16 characters. Without it only clients on the same machine get them, and only while `PUBLIC_URL` is a loopback address.",
      },
      {
        names: ["SVC_SECURITY_CONTACT"],
        byDefault: "none",
        meaning: "`mailto:…` or `https://…`: where to report a vulnerability, named in `/.well-known/security.txt`.",
      },
    ],
  },
  ...WORKLOAD_SETTINGS,
  ...PRODUCT_SETTINGS,
];
