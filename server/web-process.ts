import type { Config } from "./config";
import { type RunningServer, startServer } from "./start-server";
import type { MetricsSnapshot, ReadAllMetrics } from "./surfaces/http/metrics";
import type { FromWebProcess, ToWebProcess } from "./web-process-messages";

/**
 * Starts one of several processes that serve requests on one port, with the configuration that the supervising process
 * sends. Node ends this process when the supervising process is gone.
 */
export async function startWebProcess(options: { signal: AbortSignal }): Promise<RunningServer> {
  const config = nextConfig(options.signal);
  send({ kind: "waiting" });
  const running = await startServer(await config, { ...options, readAllMetrics });
  send({ kind: "ready", demo: running.demo });
  return running;
}

const send = (message: FromWebProcess): void => void process.send?.(message);

const nextConfig = (signal: AbortSignal): Promise<Config> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    process.on("message", (message: ToWebProcess) => {
      if (message.kind === "start") resolve(message.config);
    });
  });

/** The supervising process asks every process, this one included. */
const readAllMetrics: ReadAllMetrics = (own) => {
  let receive: ((metrics: MetricsSnapshot[]) => void) | undefined;
  let reading: Promise<MetricsSnapshot[]> | undefined;
  process.on("message", (message: ToWebProcess) => {
    if (message.kind === "read_metrics") void own().then((metrics) => send({ kind: "metrics", metrics }));
    if (message.kind === "all_metrics") receive?.(message.metrics);
  });
  // Scrapes at the same time share one round of questions.
  return () => {
    reading ??= new Promise<MetricsSnapshot[]>((resolve) => {
      receive = resolve;
      send({ kind: "read_metrics" });
    }).finally(() => {
      reading = undefined;
    });
    return reading;
  };
};
