import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Allocation, RuntimeError } from "../runtime";
import type { Cgroup } from "./cgroups";
import type { WorkloadProgram } from "./program-of";
import { scriptFields, startScript } from "./run-script";
import type { WorkloadFolder } from "./workload-folder";
import { idsField, type WorkloadIds } from "./workload-ids";

export interface LaunchWorkload {
  scripts: string;
  folder: WorkloadFolder;
  allocation: Allocation;
  program: WorkloadProgram;
  /** How many layers the image has; the folder names them. */
  layers: number;
  cgroup: Cgroup | undefined;
  ids: WorkloadIds;
}

const START_TIMEOUT_MS = 30_000;
const RUNNING = "running\n";
const REPLY_LENGTH_MAX = 4096;
const LOG_BYTES_DEFAULT = 16 * 1024 * 1024;
/** The output is deleted by segments. */
const LOG_SEGMENTS = 8;

/**
 * Starts the supervisor of a workload, which survives this process; resolves when the program runs. Throws
 * `start_failed` with its sentence.
 */
export async function launchWorkload(launch: LaunchWorkload): Promise<void> {
  const log = await open(launch.folder.file("supervisor.log"), "w", 0o600);
  try {
    const child = startScript(launch.scripts, ["supervise.pl"], { stdio: ["pipe", "pipe", log.fd] });
    child.stdin?.on("error", () => {}).end(scriptFields(fieldsOf(launch)));
    const failed = once(child, "error").then(([cause]) => String(cause));
    const late = new AbortController();
    const timeout = sleep(START_TIMEOUT_MS, "it did not start in time", { signal: late.signal }).catch(() => "");
    const reply = await Promise.race([replyOf(child.stdout), failed, timeout]);
    late.abort();
    child.stdout?.destroy();
    child.unref();
    if (reply === RUNNING) return;
    child.kill("SIGKILL");
    throw new RuntimeError("start_failed", `The workload did not start: ${reply.trim() || "its supervisor failed"}.`);
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

function fieldsOf({ folder, allocation, program, layers, cgroup, ids }: LaunchWorkload): [string, string][] {
  const { id, hostname = id, logBytesMax = LOG_BYTES_DEFAULT } = allocation;
  return [
    ["dir", folder.dir],
    ["hostname", hostname],
    ["ids", idsField(ids)],
    ["segment", String(Math.floor(logBytesMax / LOG_SEGMENTS))],
    ["segments", String(LOG_SEGMENTS)],
    // The overlay wants the uppermost layer first.
    ...Array.from({ length: layers }, (_, index): [string, string] => ["layer", String(layers - 1 - index)]),
    ...(cgroup?.folders ?? []).map((path): [string, string] => ["cgroup", path]),
    ...(cgroup ? [["oom", cgroup.oomFile] as [string, string]] : []),
    ["user", program.user],
    ["cwd", program.workingDir],
    ...program.command.map((part): [string, string] => ["command", part]),
    ...program.env.map((variable): [string, string] => ["env", variable]),
  ];
}
