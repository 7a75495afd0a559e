import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import { ServiceError } from "../../kernel/errors";

/** More queries would only wait for one of the client's ten sockets. */
const UNDER_WAY_MAX = 64;
const PROBE_EVERY_MS = 1000;
const PROBE_TIMEOUT_MS = 1000;

/**
 * Codes of errors that do not depend on the query: a timeout (159, 209), too many queries (202), the network (210),
 * memory (241), space or the disk (243, 74, 75), a server that shuts down or starts (236, 394).
 */
const AWAY_CODES: ReadonlySet<string> = new Set(["74", "75", "159", "202", "209", "210", "236", "241", "243", "394"]);

/**
 * The same client, whose `query` ends within `timeoutMs`, including the wait for a socket, and throws `unavailable`
 * when the server cannot be reached. After a query without a response, further queries fail at once until the server
 * responds to a probe.
 */
export function guardQueries(client: ClickHouseClient, timeoutMs: number): ClickHouseClient {
  let underWay = 0;
  let isSilent = false;
  const probe = () => {
    const timer = setTimeout(async () => {
      // The probe is a query, because the embedded server has no handler for /ping.
      const answer = await client.ping({ select: true, abort_signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
      // A refused connection needs no probe: queries fail at once by themselves.
      isSilent = !answer.success && !isRefusal(answer.error);
      if (isSilent) probe();
    }, PROBE_EVERY_MS);
    timer.unref();
  };
  const ask = async <T>(answer: () => Promise<T>, deadline: AbortSignal): Promise<T> => {
    try {
      return await answer();
    } catch (failure) {
      if (failure instanceof ClickHouseError && !AWAY_CODES.has(failure.code)) throw failure;
      if (deadline.aborted && !isSilent) {
        isSilent = true;
        probe();
      }
      throw away(failure);
    }
  };
  const query: ClickHouseClient["query"] = async (params) => {
    if (isSilent || underWay >= UNDER_WAY_MAX) throw away(undefined);
    const deadline = AbortSignal.timeout(timeoutMs);
    underWay++;
    try {
      const result = await ask(() => client.query({ ...params, abort_signal: deadline }), deadline);
      const json = result.json.bind(result);
      return Object.assign(result, { json: () => ask(json as () => Promise<never>, deadline) });
    } finally {
      underWay--;
    }
  };
  return new Proxy(client, { get: (target, name) => (name === "query" ? query : bound(target, name)) });
}

/** The client's methods use private fields, which do not work through a proxy. */
function bound(client: ClickHouseClient, name: string | symbol): unknown {
  const value = Reflect.get(client, name);
  return typeof value === "function" ? value.bind(client) : value;
}

const isRefusal = (error: Error): boolean => "code" in error && error.code === "ECONNREFUSED";

const away = (cause: unknown): ServiceError =>
  new ServiceError("unavailable", "ClickHouse, which serves the reports, is unavailable; retry shortly.", {
    retryAfterSeconds: 2,
    details: { reason: "clickhouse_away" },
    cause,
  });
