import type { Operation } from "../../operation";
import { buildRequest } from "../../operation-request";
import { errorText, parseResponse } from "../../parse-response";
import { SvcError } from "../../platform-client";
import { serverSentEvents } from "../../server-sent-events";
import { VERSION } from "../../version";
import { connect } from "../connect";
import { resolveConnection } from "../credentials";
import { EXIT } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { printableText } from "../terminal-text";

const LOGS: Operation = {
  ...{ noun: "pods", verb: "logs", method: "GET", path: "/v1/pods/{id}/logs", credential: "platform" },
  ...{ query: ["tail_bytes", "follow"], repeatable: true },
};
const INTERRUPTED = 130;

interface LogsFlags {
  follow?: boolean;
  json?: boolean;
  "tail-bytes"?: number;
  "base-url"?: string;
}

/** `svc pods logs`: the output so far, or until the run ends. */
export async function podLogs({ input, flags: given }: Arguments, io: Io): Promise<number> {
  const flags = given as LogsFlags;
  const call = connect("platform", flags["base-url"], io);
  const asked = { ...input, ...(flags["tail-bytes"] === undefined ? {} : { tail_bytes: flags["tail-bytes"] }) };
  if (flags.follow) return follow(asked, flags, io);
  const logs = (await call(LOGS, asked, {})) as { text: string };
  io.stdout.write(flags.json ? `${JSON.stringify(logs, null, 2)}\n` : printableText(logs.text));
  return EXIT.ok;
}

interface LogEvent {
  text?: string;
  ended?: boolean;
}

async function follow(asked: Record<string, unknown>, flags: LogsFlags, io: Io): Promise<number> {
  const never = new AbortController().signal;
  const { stop, end } = io.interruption?.() ?? { stop: never, end: undefined };
  try {
    for await (const data of serverSentEvents(await open(asked, flags, { io, stop }))) {
      const event = JSON.parse(data) as LogEvent;
      if (flags.json) io.stdout.write(`${data}\n`);
      else if (event.text !== undefined) io.stdout.write(printableText(event.text));
      if (event.ended) return EXIT.ok;
    }
  } catch (failure) {
    if (stop.aborted) return INTERRUPTED;
    throw failure;
  } finally {
    end?.();
  }
  if (stop.aborted) return INTERRUPTED;
  throw lost("the response ended before the run did");
}

async function open(
  asked: Record<string, unknown>,
  flags: LogsFlags,
  { io, stop }: { io: Io; stop: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const { baseUrl, key } = resolveConnection(io.env, flags["base-url"]);
  const headers = { Authorization: `Bearer ${key}`, "User-Agent": `svc-sdk/${VERSION}` };
  const { url } = buildRequest(LOGS, { ...asked, follow: true }, { baseUrl, headers });
  const fetch = io.fetch ?? globalThis.fetch.bind(globalThis);
  const response = await fetch(url, { headers, signal: stop, cache: "no-store", redirect: "manual" }).catch(
    (cause: unknown) => {
      throw lost(errorText(cause));
    },
  );
  if (response.ok && response.body) return response.body;
  const result = await parseResponse("GET /v1/pods/{id}/logs", response);
  throw "failure" in result ? new SvcError(result.failure) : lost("the response has no body");
}

const lost = (why: string): SvcError =>
  new SvcError({ status: 0, code: "network", message: `The output of the pod could not be read: ${why}.` });
