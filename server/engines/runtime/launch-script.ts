import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { withTimeout } from "../../kernel/with-timeout";
import { startScript } from "../perl/run-script";
import type { Program } from "../programs/program";
import { programFields } from "../programs/program-fields";
import { RuntimeError } from "./runtime";

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
  // A file that cannot be written has a code that tells why.
  await (await open(launch.logFile, launch.logFlags, 0o600)).close();
  const starting = startScript(launch.scripts, [launch.name], ["input", "output", { append: launch.logFile }]);
  const replied = starting.then((script) => {
    script.input(0).end(programFields(launch.fields));
    return replyOf(script.output(1));
  });
  const late = () => new Error("it did not start in time");
  const reply = await withTimeout(launch.timeoutMs, replied, late).catch((cause: Error) => cause.message);
  // One that is late is killed when it has a process.
  const left = starting.then((script) => leave(script, reply === RUNNING));
  left.catch(() => undefined);
  if (reply === RUNNING) return;
  const sentence = reply.trim().replace(/\.$/, "") || launch.silentFailure;
  throw new RuntimeError("start_failed", `The workload did not start: ${sentence}.`);
}

function leave(script: Program, isRunning: boolean): void {
  if (!isRunning) script.kill("SIGKILL");
  script.destroy();
  script.unref();
}

async function replyOf(output: Readable): Promise<string> {
  let reply = "";
  for await (const chunk of output.setEncoding("utf8")) {
    reply += chunk;
    if (reply === RUNNING || reply.length > REPLY_LENGTH_MAX) break;
  }
  return reply;
}
