import { isWebProcess, readConfig } from "./config";
import { startServer } from "./start-server";
import { startWebProcess } from "./web-process";
import { startWebProcesses } from "./web-processes";

/** npm forwards a Ctrl-C that the terminal has already sent to all processes, so one key press arrives twice. */
const SAME_KEY_PRESS_MS = 500;

const stopping = new AbortController();
let stoppedAt = 0;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    // Ctrl-C reaches every process of the terminal; the supervising process stops this one with SIGTERM.
    if (isWebProcess() && signal === "SIGINT") return;
    if (stopping.signal.aborted && signal === "SIGINT" && performance.now() - stoppedAt > SAME_KEY_PRESS_MS)
      process.exit(130);
    if (stopping.signal.aborted) return;
    stoppedAt = performance.now();
    stopping.abort();
  });
}

/** Most installations need one process; the others only exist with SVC_WEB_PROCESSES. */
async function start(signal: AbortSignal): Promise<{ stop(): Promise<void> }> {
  if (isWebProcess()) return startWebProcess({ signal });
  const config = readConfig();
  if (config.webProcesses === 1) return startServer(config, { signal });
  return startWebProcesses(config, { signal, program: import.meta.filename });
}

try {
  const running = await start(stopping.signal);
  if (!stopping.signal.aborted) await new Promise((resolve) => stopping.signal.addEventListener("abort", resolve));
  await running.stop();
  process.exit(0);
} catch (failure) {
  // A start that was cancelled by a signal and stopped cleanly is not a failure.
  if (stopping.signal.aborted && failure === stopping.signal.reason) process.exit(0);
  process.stderr.write(`svc: ${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exit(1);
}
