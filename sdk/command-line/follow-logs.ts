import type { Operation } from "../operation";
import { buildRequest } from "../operation-request";
import { errorText, parseResponse } from "../parse-response";
import { SvcError } from "../platform-client";
import { serverSentEvents } from "../server-sent-events";
import { VERSION } from "../version";
import { resolveConnection } from "./credentials";
import { EXIT } from "./errors";
import type { Io } from "./io";

const INTERRUPTED = 130;

export interface FollowedLogs {
  /** Its input has `follow`. */
  operation: Operation;
  asked: Record<string, unknown>;
  baseUrl: string | undefined;
  /** Begins sentences about a failure, such as "The output of the pod". */
  what: string;
  /** Receives the JSON of each event; returns true for the last one. */
  print: (data: string) => boolean;
}

/** Prints server-sent events until the last one, or until Ctrl-C, with status 130. */
export async function followLogs(logs: FollowedLogs, io: Io): Promise<number> {
  const never = new AbortController().signal;
  const { stop, end } = io.interruption?.() ?? { stop: never, end: undefined };
  try {
    for await (const data of serverSentEvents(await open(logs, io, stop))) if (logs.print(data)) return EXIT.ok;
  } catch (failure) {
    if (stop.aborted) return INTERRUPTED;
    throw failure;
  } finally {
    end?.();
  }
  if (stop.aborted) return INTERRUPTED;
  throw lost(logs, "the response ended before the run did");
}

async function open(logs: FollowedLogs, io: Io, stop: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { operation, asked, baseUrl: given } = logs;
  const { baseUrl, key } = resolveConnection(io.env, given);
  const headers = { Authorization: `Bearer ${key}`, "User-Agent": `svc-sdk/${VERSION}` };
  const { url } = buildRequest(operation, { ...asked, follow: true }, { baseUrl, headers });
  const fetch = io.fetch ?? globalThis.fetch.bind(globalThis);
  const response = await fetch(url, { headers, signal: stop, cache: "no-store", redirect: "manual" }).catch(
    (cause: unknown) => {
      throw lost(logs, errorText(cause));
    },
  );
  if (response.ok && response.body) return response.body;
  const result = await parseResponse(`${operation.method} ${operation.path}`, response);
  throw "failure" in result ? new SvcError(result.failure) : lost(logs, "the response has no body");
}

const lost = ({ what }: FollowedLogs, why: string): SvcError =>
  new SvcError({ status: 0, code: "network", message: `${what} could not be read: ${why}.` });
