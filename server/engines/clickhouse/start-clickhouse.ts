import { constants } from "node:fs";
import { access, chmod, mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Logger } from "pino";
import { freeBytesOf } from "../data-dir";
import { Supervisor } from "../supervisor";
import { confinementWarning } from "./confinement-warning";
import { createClickHouseClient } from "./connect-clickhouse";
import { newAccess, urlOf } from "./engine-access";
import { userFilesOf } from "./engine-config";
import { removeNote, writeNote } from "./find-clickhouse";
import { launchSidecar, type Sidecar, type SidecarExit, type SidecarPlace } from "./launch-sidecar";
import { failureOf, SidecarFailure } from "./sidecar-failure";
import { watchFreeSpace } from "./watch-free-space";

export interface StartClickHouse {
  /** The folder that contains package.json. */
  rootDir: string;
  /** Where the engine keeps its files; one engine at a time. */
  dir: string;
  /** Default: any free port of the loopback interface. */
  port?: number | undefined;
  log?: Logger | undefined;
  /** How much memory the engine may allocate; default half of the machine's memory, at most 4 GiB. */
  memoryMaxBytes?: number | undefined;
  /** Additional privileges of the client's user, such as `GRANT SELECT ON system.processes`; for tests. */
  grants?: readonly string[] | undefined;
  /** Bytes that are free on the disk of `dir`; tests pass their own. */
  freeBytes?: (() => Promise<number>) | undefined;
}

export interface EmbeddedClickHouse {
  /** Contains the password and the token; does not change when the engine is restarted. */
  url: string;
  /** Still works after a restart; calls made meanwhile fail and may be repeated. */
  client: ClickHouseClient;
  readonly pid: number;
  /** Stops the engine and the client; flush writers first. */
  stop(): Promise<void>;
  /** Registers a callback for each unexpected exit of the engine. */
  onExit(callback: (exit: SidecarExit) => void): void;
}

const PORT_TRIES = 5;
const LOCK_WAIT_MS = 15_000;
const LOCK_RETRY_MS = 100;
const MEMORY_MAX_BYTES = 4 * 1024 ** 3;

/**
 * Starts a ClickHouse HTTP server (chdb's library, on 127.0.0.1) and keeps it running until `stop`. It rejects every
 * request without the credentials in `url`, which are new at each start, and its user has only the privileges that svc
 * needs. The engine exits with this process. Throws a `SidecarFailure` with a message of one sentence.
 */
export async function startClickHouse(options: StartClickHouse): Promise<EmbeddedClickHouse> {
  const script = path.join(options.rootDir, "server/engines/clickhouse/sidecar.mjs");
  const { memoryMaxBytes = Math.min(MEMORY_MAX_BYTES, Math.floor(totalmem() / 2)), grants = [] } = options;
  const dir = await prepareDirectory(options.dir);
  const { sidecar, place } = await launchFirst({ script, dir, memoryMaxBytes, grants }, options.port);
  void sidecar.confined.then((confined) => {
    const warning = confinementWarning(confined);
    if (warning !== undefined) options.log?.warn(warning);
  });
  const url = urlOf(place.port, place.access);
  await writeNote(dir, { port: place.port, ...place.access });
  const client = createClickHouseClient(url);
  const callbacks: ((exit: SidecarExit) => void)[] = [];
  const supervisor = new Supervisor(sidecar, {
    relaunch: (signal) => launchSidecar(place, signal),
    onDeath: (exit) => {
      options.log?.error({ exit }, "the embedded ClickHouse exited unexpectedly and is being restarted");
      for (const callback of callbacks) callback(exit);
    },
    onFailure: (cause) => options.log?.error({ err: cause }, "the embedded ClickHouse could not be restarted yet"),
  });
  const stopWatch = watchFreeSpace({
    freeBytes: options.freeBytes ?? (() => freeBytesOf(dir)),
    restart: () => {
      options.log?.warn("the disk was full: the embedded ClickHouse is restarted, so that it verifies its last merges");
      return supervisor.restart();
    },
  });
  return {
    url,
    client,
    get pid() {
      return supervisor.pid;
    },
    onExit: (callback) => void callbacks.push(callback),
    stop: async () => {
      stopWatch();
      await client.close();
      await removeNote(dir);
      await supervisor.stop();
    },
  };
}

async function prepareDirectory(dir: string): Promise<string> {
  try {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    await chmod(dir, 0o700);
    const real = await realpath(dir);
    await mkdir(userFilesOf(real), { recursive: true });
    return real;
  } catch (cause) {
    throw failureOf(String(cause), { dir, port: 0, code: null });
  }
}

/** A port that was free a moment ago may be in use when the engine binds it; then another one is tried. */
async function launchFirst(
  where: Omit<SidecarPlace, "port" | "access">,
  wanted: number | undefined,
): Promise<{ sidecar: Sidecar; place: SidecarPlace }> {
  for (let attempt = 1; ; attempt++) {
    const place = { ...where, port: wanted ?? (await freePort()), access: newAccess() };
    try {
      return { sidecar: await launchUnlocked(place), place };
    } catch (cause) {
      const mayRetry = wanted === undefined && attempt < PORT_TRIES;
      if (!(mayRetry && cause instanceof SidecarFailure && cause.kind === "port_taken")) throw cause;
    }
  }
}

/** An engine whose parent has just been killed needs a moment to release the directory. */
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
