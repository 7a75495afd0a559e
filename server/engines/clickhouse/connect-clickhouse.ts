import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { ServiceError } from "../../kernel/errors";
import { guardQueries } from "./guard-queries";

const REQUEST_TIMEOUT_MS = 10_000;
/** Shorter than for inserts, because users wait for queries. */
const QUERY_TIMEOUT_MS = 8000;
const VERSION_MIN = [24, 8] as const;

/**
 * Connects to a server and checks that it responds, has the database and is version 24.8 or newer; otherwise throws an
 * error of one sentence.
 */
export async function connectClickHouse(
  url: string,
  options: ClickHouseOptions = {},
): Promise<{ client: ClickHouseClient; close(): Promise<void> }> {
  const client = createClickHouseClient(url, options);
  try {
    const { host } = new URL(url);
    checkVersion(await versionOf(client, host), host);
  } catch (cause) {
    await client.close();
    throw cause;
  }
  return { client, close: () => client.close() };
}

interface ClickHouseOptions {
  /** How long to wait for a response; default 10 s, and 8 s for a query. */
  requestTimeoutMs?: number;
}

/**
 * A client with the settings that svc's writers and readers rely on; the URL's path names the database. Its `query` has
 * a time limit and throws `unavailable` when the server cannot be reached.
 */
export function createClickHouseClient(url: string, { requestTimeoutMs }: ClickHouseOptions = {}): ClickHouseClient {
  const client = createClient({
    url,
    application: "svc",
    request_timeout: requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    keep_alive: { enabled: true },
    // Errors are thrown; the client would also print them.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // svc sends whole batches and needs to know whether each one was inserted.
      async_insert: 0,
      // Off by default before version 26; without it a batch that is sent again would be counted twice in the rollup.
      deduplicate_blocks_in_dependent_materialized_views: 1,
      // Nanos exceed the exact range of a JSON number.
      output_format_json_quote_64bit_integers: 1,
      // Accepts `2026-01-02T03:04:05.678Z` as well as `2026-01-02 03:04:05.678`.
      date_time_input_format: "best_effort",
    },
  });
  return guardQueries(client, requestTimeoutMs ?? QUERY_TIMEOUT_MS);
}

async function versionOf(client: ClickHouseClient, host: string): Promise<string> {
  try {
    const answer = await client.query({ query: "SELECT version() AS version", format: "JSONEachRow" });
    const rows = await answer.json<{ version: string }>();
    return rows[0]?.version ?? "";
  } catch (failure) {
    const cause = failure instanceof ServiceError ? failure.cause : failure;
    const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    throw new Error(`ClickHouse at ${host} does not respond (${why || "connection refused"}); check CLICKHOUSE_URL.`, {
      cause,
    });
  }
}

/** Throws if the server is older than 24.8, the first version whose inserts deduplicate reliably through views. */
export function checkVersion(version: string, host: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]);
  if (!isNew)
    throw new Error(`ClickHouse at ${host} is version ${version}; svc needs ${VERSION_MIN.join(".")} or newer.`);
}
