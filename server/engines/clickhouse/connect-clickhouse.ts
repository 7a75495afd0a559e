import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";

const REQUEST_TIMEOUT_MS = 10_000;
const VERSION_MIN = [24, 8] as const;

/** Connects to a server and checks that it answers, knows the database and is 24.8 or newer; throws one sentence. */
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
  /** How long the server may be silent; default 10 s. */
  requestTimeoutMs?: number;
}

/** A client with the settings that svc's writers and readers rely on; the URL's path names the database. */
export function createClickHouseClient(
  url: string,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS }: ClickHouseOptions = {},
): ClickHouseClient {
  return createClient({
    url,
    application: "svc",
    request_timeout: requestTimeoutMs,
    keep_alive: { enabled: true },
    // Failures are thrown; the client would print them a second time.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // svc sends whole batches and wants their outcome.
      async_insert: 0,
      // Off by default before 26; without it a batch sent again would be counted twice in the rollup.
      deduplicate_blocks_in_dependent_materialized_views: 1,
      // Nanos exceed what a JSON number holds exactly.
      output_format_json_quote_64bit_integers: 1,
      // Takes `2026-01-02T03:04:05.678Z` as well as `2026-01-02 03:04:05.678`.
      date_time_input_format: "best_effort",
    },
  });
}

async function versionOf(client: ClickHouseClient, host: string): Promise<string> {
  try {
    const answer = await client.query({ query: "SELECT version() AS version", format: "JSONEachRow" });
    const rows = await answer.json<{ version: string }>();
    return rows[0]?.version ?? "";
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    throw new Error(`ClickHouse at ${host} does not answer (${why || "connection refused"}); check CLICKHOUSE_URL.`, {
      cause,
    });
  }
}

/** Throws one sentence for a server older than 24.8, the first whose inserts deduplicate through views reliably. */
export function checkVersion(version: string, host: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]);
  if (!isNew)
    throw new Error(`ClickHouse at ${host} is version ${version}; svc needs ${VERSION_MIN.join(".")} or newer.`);
}
