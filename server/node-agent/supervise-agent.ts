import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Logger } from "pino";
import { pause } from "../kernel/pause";
import type { RunAgent } from "./run-agent";

/** What the supervisor sends to the agent when it starts: not as arguments, which other users of the node can read. */
export type AgentStart = Pick<RunAgent, "joining" | "address">;

/** What the agent sends: it serves the runtime, or ends because svc wants another process. */
export type AgentNotice = "serving" | "restarting";

export interface SuperviseAgent extends AgentStart {
  /** The file of the program with its arguments, read again at each start. */
  program: readonly [string, ...string[]];
  log: Pick<Logger, "warn" | "info">;
  /** Aborted when the agent is to end. */
  signal: AbortSignal;
}

const BACKOFF_MS = 1000;
const BACKOFF_MAX_MS = 30_000;

/**
 * Runs the agent as a process of its own, and starts the program that is then on the disk when svc asks for that or the
 * process ends by itself. Pods outlive the agent. Returns an exit status: that of the agent if it ends before it has ever
 * served, because then its arguments or the node are wrong.
 */
export async function superviseAgent(options: SuperviseAgent): Promise<number> {
  const { log, signal } = options;
  let start: AgentStart = { joining: options.joining, address: options.address };
  let hasServed = false;
  let failures = 0;
  for (;;) {
    const end = await runOnce(options, start);
    if (signal.aborted) return 0;
    hasServed ||= end.served;
    if (!hasServed) return end.status ?? 1;
    // It has joined, and its token may have expired since.
    start = { joining: undefined, address: undefined };
    if (end.restarting) {
      log.info("the agent is started again at the request of svc");
      failures = 0;
      continue;
    }
    failures = end.served ? 1 : failures + 1;
    const waitMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (failures - 1));
    log.warn({ status: end.status, waitMs }, "the agent has ended and is started again; pods keep running");
    await pause(waitMs, signal);
    if (signal.aborted) return 0;
  }
}

interface AgentEnd {
  /** null: a signal ended it. */
  status: number | null;
  served: boolean;
  restarting: boolean;
}

async function runOnce({ program: [file, ...args], signal }: SuperviseAgent, start: AgentStart): Promise<AgentEnd> {
  const child = fork(file, args);
  const notices = new Set<AgentNotice>();
  child.on("message", (notice: AgentNotice) => notices.add(notice));
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const exit = statusOf(child);
  // It can have ended already, which the exit status tells.
  child.send(start, () => undefined);
  const status = await exit;
  signal.removeEventListener("abort", stop);
  return { status, served: notices.has("serving"), restarting: notices.has("restarting") };
}

async function statusOf(child: ChildProcess): Promise<number | null> {
  try {
    const [status] = (await once(child, "exit")) as [number | null];
    return status;
  } catch {
    // The program could not be started.
    return 1;
  }
}
