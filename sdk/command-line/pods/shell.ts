import { readBaseUrl } from "../../call-api";
import { errorText, parseResponse } from "../../parse-response";
import { SvcError } from "../../platform-client";
import { VERSION } from "../../version";
import { connect } from "../connect";
import { resolveConnection } from "../credentials";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { relayShell } from "./relay-shell";
import { shellSize } from "./shell-size";

const PROTOCOL = "terminal.svc.v1";
const INTERRUPTED = 130;

/** `svc pods shell` and `svc workspaces shell`: a terminal. They return the exit status of the program there. */
export const shellIn =
  (noun: "pods" | "workspaces") =>
  (read: Arguments, io: Io): Promise<number> =>
    openShell(noun, read, io);

async function openShell(noun: string, { input, flags, program }: Arguments, io: Io): Promise<number> {
  const baseUrlFlag = flags["base-url"] as string | undefined;
  // Checks the key and the URL.
  connect("platform", baseUrlFlag, io);
  const { baseUrl, key = "" } = resolveConnection(io.env, baseUrlFlag);
  const { stop, end } = io.interruption?.() ?? { stop: new AbortController().signal, end: undefined };
  try {
    const path = `/v1/${noun}/${encodeURIComponent(String(input.id))}/terminal`;
    const url = urlOf(`${readBaseUrl(baseUrl)}${path}`, { program, io });
    return await relayShell(await open(url, { key, stop }), { io, stop, isShell: program.length === 0 });
  } catch (failure) {
    if (stop.aborted) return INTERRUPTED;
    throw failure;
  } finally {
    end?.();
  }
}

function urlOf(address: string, { program, io }: { program: readonly string[]; io: Io }): URL {
  const url = new URL(address);
  for (const word of program) url.searchParams.append("command", word);
  for (const [name, value] of Object.entries(shellSize(io) ?? {})) url.searchParams.set(name, String(value));
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}

async function open(url: URL, { key, stop }: { key: string; stop: AbortSignal }) {
  // Loaded only here, because the library takes longer to load than most commands.
  const { openWebSocket } = await import("./web-socket");
  const headers = { Authorization: `Bearer ${key}`, "User-Agent": `svc-sdk/${VERSION}` };
  const opened = await openWebSocket(url.href, { protocol: PROTOCOL, headers, signal: stop }).catch(
    (cause: unknown) => {
      throw unreachable(url, cause);
    },
  );
  if ("socket" in opened) return opened.socket;
  const result = await parseResponse(`GET ${url.pathname}`, opened.refusal);
  throw "failure" in result ? new SvcError(result.failure) : unreachable(url, "the response opened no WebSocket");
}

function unreachable({ host }: URL, cause: unknown): SvcError {
  // The error of a host with several addresses has a code, but no message.
  const { message, code } = cause as { message?: string; code?: string };
  const why = message === "" && code ? code : errorText(cause);
  return new SvcError({ status: 0, code: "network", message: `No terminal could be opened at ${host}: ${why}.` });
}
