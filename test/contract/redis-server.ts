import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../factories/free-port";

export interface RedisServer {
  url: string;
  /** Stops answering without closing connections, as a server that hangs. */
  freeze(): void;
  thaw(): void;
  /** Ends without saving. */
  kill(): Promise<void>;
  /** Empty, on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** `redis-server` is on the PATH; one that is there but does not run is an error, never a reason to skip. */
export function hasRedisServer(): boolean {
  try {
    execFileSync("redis-server", ["--version"]);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw cause;
  }
}

/**
 * A redis-server of its own on a free port of the loopback, without persistence by default (`isDurable`: each
 * command is on the disk before its response); with a password where one is given.
 */
export async function startRedisServer({
  password,
  isDurable = false,
}: {
  password?: string;
  isDurable?: boolean;
} = {}): Promise<RedisServer> {
  const dir = await mkdtemp(path.join(tmpdir(), "svc-redis-"));
  const port = await freePort();
  const durable = isDurable ? ["--appendonly", "yes", "--appendfsync", "always", "--appenddirname", "aof"] : [];
  const more = [...(password === undefined ? [] : ["--requirepass", password]), ...durable];
  let child = await start(dir, port, more);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => child.kill("SIGSTOP"),
    thaw: () => child.kill("SIGCONT"),
    kill,
    restart: async () => {
      await kill();
      child = await start(dir, port, more);
    },
    close: async () => {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function start(dir: string, port: number, more: readonly string[]): Promise<ChildProcess> {
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "no", ...more];
  const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}: ${log}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes("Ready to accept connections")) resolve();
    });
  });
  return child;
}
