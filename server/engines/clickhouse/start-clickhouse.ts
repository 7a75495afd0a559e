import { constants } from "node:fs";
import { access, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Logger } from "pino";
import { Supervisor } from "../supervisor";
import { createClickHouseClient } from "./connect-clickhouse";
import { noteFile } from "./find-clickhouse";
import { launchSidecar, type Sidecar, type SidecarExit, type SidecarPlace } from "./launch-sidecar";
import { failureOf, SidecarFailure } from "./sidecar-failure";

export interface StartClickHouse {
  /** The folder that holds package.json. */
  rootDir: string;
  /** Where the engine keeps its files; one engine at a time. */
  dir: string;
  /** Default: any free port of the loopback interface. */
  port?: number | undefined;
  log?: Logger | undefined;
  /** What the engine may allocate; default half of the machine, at most 4 GiB. */
  memoryMaxBytes?: number | undefined;
}

export interface EmbeddedClickHouse {
  /** Stays the same when the engine is restarted. */
  url: string;
  /** Keeps working after a restart; calls made meanwhile fail and may be repeated. */
  client: ClickHouseClient;
  readonly pid: number;
  /** Stops engine and client; flush writers before. */
  stop(): Promise<void>;
  /** Calls back each time the engine died although nobody stopped it. */
  onExit(callback: (exit: SidecarExit) => void): void;
}

const PORT_TRIES = 5;
const LOCK_WAIT_MS = 3_000;
const LOCK_RETRY_MS = 100;
const MEMORY_MAX_BYTES = 4 * 1024 ** 3;

/**
 * Starts a real ClickHouse HTTP server (chdb's library, on 127.0.0.1) and keeps it running until `stop`.
 * The engine dies with this process. Throws a `SidecarFailure` whose message is one sentence.
 */
export async function startClickHouse(options: StartClickHouse): Promise<EmbeddedClickHouse> {
  const script = path.join(options.rootDir, "server/engines/clickhouse/sidecar.mjs");
  const { dir, configFile } = await prepareDirectory(options);
  const { sidecar, place } = await launchFirst({ script, dir, configFile }, options.port);
  const url = `http://127.0.0.1:${place.port}`;
  await writeFile(noteFile(dir), `${place.port}`, { mode: 0o600 });
  const client = createClickHouseClient(url);
  const callbacks: ((exit: SidecarExit) => void)[] = [];
  const supervisor = new Supervisor(sidecar, {
    relaunch: (signal) => launchSidecar(place, signal),
    onDeath: (exit) => {
      options.log?.error({ exit }, "the embedded ClickHouse died and is started again");
      for (const callback of callbacks) callback(exit);
    },
    onFailure: (cause) => options.log?.error({ err: cause }, "the embedded ClickHouse could not be started again yet"),
  });
  return {
    url,
    client,
    get pid() {
      return supervisor.pid;
    },
    onExit: (callback) => void callbacks.push(callback),
    stop: async () => {
      await client.close();
      await rm(noteFile(dir), { force: true });
      await supervisor.stop();
    },
  };
}

async function prepareDirectory({ dir, memoryMaxBytes }: StartClickHouse) {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    const real = await realpath(dir);
    const configFile = path.join(real, "svc-config.xml");
    const memory = memoryMaxBytes ?? Math.min(MEMORY_MAX_BYTES, Math.floor(totalmem() / 2));
    await writeFile(configFile, configOf(path.join(real, "engine.log"), memory));
    return { dir: real, configFile };
  } catch (cause) {
    throw failureOf(String(cause), { dir, port: 0, code: null });
  }
}

const configOf = (logFile: string, memoryMaxBytes: number): string => `<clickhouse>
  <logger><log>${escapeXml(logFile)}</log><size>10M</size><count>2</count></logger>
  <max_server_memory_usage>${memoryMaxBytes}</max_server_memory_usage>
</clickhouse>
`;

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A port that was free a moment ago may be taken by the time the engine binds it: then another one is tried. */
async function launchFirst(
  where: Omit<SidecarPlace, "port">,
  wanted: number | undefined,
): Promise<{ sidecar: Sidecar; place: SidecarPlace }> {
  for (let attempt = 1; ; attempt++) {
    const place = { ...where, port: wanted ?? (await freePort()) };
    try {
      return { sidecar: await launchUnlocked(place), place };
    } catch (cause) {
      const mayRetry = wanted === undefined && attempt < PORT_TRIES;
      if (!(mayRetry && cause instanceof SidecarFailure && cause.kind === "port_taken")) throw cause;
    }
  }
}

/** An engine whose parent has just been killed needs a moment to let go of the directory. */
async function launchUnlocked(place: SidecarPlace): Promise<Sidecar> {
  for (const end = Date.now() + LOCK_WAIT_MS; ; await sleep(LOCK_RETRY_MS)) {
    try {
      return await launchSidecar(place, new AbortController().signal);
    } catch (cause) {
      const locked = cause instanceof SidecarFailure && cause.kind === "locked";
      if (!locked || Date.now() > end) throw cause;
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
