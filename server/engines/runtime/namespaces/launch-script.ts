import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { RuntimeError } from "../runtime";
import { scriptFields, startScript } from "./run-script";

export interface LaunchScript {
  /** The folder of the script. */
  scripts: string;
  name: string;
  fields: readonly (readonly [string, string])[];
  /** Takes what the script writes to its standard error. */
  logFile: string;
  /** `w` or `a`, as in `open`. */
  logFlags: "w" | "a";
  timeoutMs: number;
  /** What the error says if the script says nothing. */
  silentFailure: string;
}

const RUNNING = "running\n";
const REPLY_LENGTH_MAX = 4096;

/**
 * Starts a script that survives this process; resolves when it replies that the workload's program runs. Throws
 * `start_failed` with the sentence of its reply, and kills it, if it does not.
 */
export async function launchScript(launch: LaunchScript): Promise<void> {
  const log = await open(launch.logFile, launch.logFlags, 0o600);
  try {
    const child = startScript(launch.scripts, [launch.name], { stdio: ["pipe", "pipe", log.fd] });
    child.stdin?.on("error", () => {}).end(scriptFields(launch.fields));
    const failed = once(child, "error").then(([cause]) => String(cause));
    const late = new AbortController();
    const timeout = sleep(launch.timeoutMs, "it did not start in time", { signal: late.signal }).catch(() => "");
    const reply = await Promise.race([replyOf(child.stdout), failed, timeout]);
    late.abort();
    child.stdout?.destroy();
    child.unref();
    if (reply === RUNNING) return;
    child.kill("SIGKILL");
    const sentence = reply.trim().replace(/\.$/, "") || launch.silentFailure;
    throw new RuntimeError("start_failed", `The workload did not start: ${sentence}.`);
  } finally {
    await log.close();
  }
}

async function replyOf(output: Readable | null): Promise<string> {
  let reply = "";
  for await (const chunk of output?.setEncoding("utf8") ?? []) {
    reply += chunk;
    if (reply === RUNNING || reply.length > REPLY_LENGTH_MAX) break;
  }
  return reply;
}
