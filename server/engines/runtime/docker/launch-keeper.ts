import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptFields, startScript } from "../namespaces/run-script";
import { RuntimeError } from "../runtime";
import type { ContainerFolder, ContainerNotes } from "./container-folder";

export interface LaunchKeeper {
  /** The folder of `keep-container.pl`. */
  scripts: string;
  socketPath: string;
  folder: ContainerFolder;
  notes: ContainerNotes;
  /** False: only takes the output of a container that runs. */
  starts: boolean;
}

const START_TIMEOUT_MS = 60_000;
const RUNNING = "running\n";
const REPLY_LENGTH_MAX = 4096;
/** The output is deleted by segments. */
const LOG_SEGMENTS = 8;

/**
 * Starts the keeper of a container's output, which survives this process; it starts the container when it receives its
 * output, and this resolves when the program runs. Throws `start_failed` with the engine's sentence.
 */
export async function launchKeeper({ scripts, socketPath, folder, notes, starts }: LaunchKeeper): Promise<void> {
  const log = await open(folder.file("keeper.log"), "a", 0o600);
  try {
    const child = startScript(scripts, ["keep-container.pl"], { stdio: ["pipe", "pipe", log.fd] });
    const fields = scriptFields([
      ["dir", folder.dir],
      ["socket", socketPath],
      ["container", notes.container],
      ["segment", String(Math.floor(notes.logBytesMax / LOG_SEGMENTS))],
      ["segments", String(LOG_SEGMENTS)],
      ["starts", starts ? "1" : ""],
    ]);
    child.stdin?.on("error", () => {}).end(fields);
    const failed = once(child, "error").then(([cause]) => String(cause));
    const late = new AbortController();
    const timeout = sleep(START_TIMEOUT_MS, "it did not start in time", { signal: late.signal }).catch(() => "");
    const reply = await Promise.race([replyOf(child.stdout), failed, timeout]);
    late.abort();
    child.stdout?.destroy();
    child.unref();
    if (reply === RUNNING) return;
    child.kill("SIGKILL");
    throw new RuntimeError("start_failed", `The workload did not start: ${sentenceOf(reply)}.`);
  } finally {
    await log.close();
  }
}

const sentenceOf = (reply: string): string => reply.trim().replace(/\.$/, "") || "the keeper of its output failed";

async function replyOf(output: Readable | null): Promise<string> {
  let reply = "";
  for await (const chunk of output?.setEncoding("utf8") ?? []) {
    reply += chunk;
    if (reply === RUNNING || reply.length > REPLY_LENGTH_MAX) break;
  }
  return reply;
}
