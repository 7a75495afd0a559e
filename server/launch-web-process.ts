import cluster, { type Worker } from "node:cluster";
import type { Demo } from "./ads/demo/open-demo";
import { type Config, WEB_PROCESS_ENV } from "./config";
import type { Supervised } from "./engines/supervisor";
import type { MetricsSnapshot } from "./surfaces/http/metrics";
import type { FromWebProcess, ToWebProcess } from "./web-process-messages";

export interface WebProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that handles requests. */
export interface WebProcess extends Supervised<WebProcessExit> {
  demo: Demo | undefined;
  /** Undefined if it does not respond. */
  metrics(): Promise<MetricsSnapshot | undefined>;
}

export interface LaunchWebProcess {
  signal: AbortSignal;
  /** The metrics of all processes, for one that is asked for them. */
  readMetrics: () => Promise<MetricsSnapshot[]>;
}

/** A stopping process finishes its requests within 10 s; what follows takes less. */
const STOP_MS = 20_000;
/** A process that does not respond is left out of the metrics. */
const METRICS_MS = 2000;

/**
 * Starts a process that serves requests and waits until it does. Throws if it exits before, or the signal's reason when
 * that aborts; then nothing keeps running.
 */
export async function launchWebProcess(config: Config, { signal, readMetrics }: LaunchWebProcess): Promise<WebProcess> {
  const worker = cluster.fork(WEB_PROCESS_ENV);
  // Sending to a process that has just exited fails; its exit is handled.
  worker.on("error", () => undefined);
  const exited = new Promise<WebProcessExit>((resolve) => {
    worker.once("exit", (code, by) => resolve({ code, signal: by as NodeJS.Signals | null }));
  });
  const stop = () => stopProcess(worker, exited);
  worker.on("message", (message: FromWebProcess) => {
    if (message.kind === "waiting") send(worker, { kind: "start", config });
    if (message.kind === "read_metrics") {
      void readMetrics().then((metrics) => send(worker, { kind: "all_metrics", metrics }));
    }
  });
  try {
    const demo = await readyOf(worker, exited, signal);
    return { pid: worker.process.pid ?? 0, demo, exited, stop, metrics: () => metricsOf(worker) };
  } catch (cause) {
    await stop().catch(() => undefined);
    throw cause;
  }
}

function readyOf(worker: Worker, exited: Promise<WebProcessExit>, signal: AbortSignal): Promise<Demo | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void exited.then((exit) => {
      signal.removeEventListener("abort", abort);
      reject(
        new Error(
          `A web process ended with ${exit.signal ?? exit.code} before it was ready; it has written why above.`,
        ),
      );
    });
    worker.on("message", (message: FromWebProcess) => {
      if (message.kind !== "ready") return;
      signal.removeEventListener("abort", abort);
      resolve(message.demo);
    });
  });
}

async function stopProcess(worker: Worker, exited: Promise<WebProcessExit>): Promise<void> {
  if (worker.isDead()) return;
  worker.process.kill("SIGTERM");
  const late = setTimeout(() => worker.process.kill("SIGKILL"), STOP_MS);
  const { code, signal } = await exited.finally(() => clearTimeout(late));
  if (signal === "SIGKILL") throw new Error(`A web process did not stop within ${STOP_MS / 1000} s.`);
  if (code !== 0 && signal !== "SIGTERM") throw new Error(`A web process stopped with ${signal ?? code}.`);
}

const send = (worker: Worker, message: ToWebProcess): void => {
  if (worker.isConnected()) worker.send(message, () => undefined);
};

const metricsOf = (worker: Worker): Promise<MetricsSnapshot | undefined> =>
  new Promise((resolve) => {
    const end = (metrics?: MetricsSnapshot) => {
      clearTimeout(late);
      worker.off("message", receive);
      resolve(metrics);
    };
    const receive = (message: FromWebProcess) => {
      if (message.kind === "metrics") end(message.metrics);
    };
    const late = setTimeout(end, METRICS_MS);
    worker.on("message", receive);
    send(worker, { kind: "read_metrics" });
  });
