import cluster from "node:cluster";
import { type Logger, pino } from "pino";
import type { Demo } from "./ads/demo/open-demo";
import type { Config, Member } from "./config";
import { startSharedEngines } from "./engines/start-engines";
import { Supervisor } from "./engines/supervisor";
import { backoffMs } from "./kernel/backoff";
import { pause } from "./kernel/pause";
import { StopStack } from "./kernel/stop-stack";
import { launchWebProcess, type WebProcess, type WebProcessExit } from "./launch-web-process";
import { checkAddress } from "./listen";
import { createClientAddress } from "./surfaces/http/client-address";
import { welcome } from "./welcome";

export interface WebProcesses {
  /** Stops all processes as one process stops, then the engines. */
  stop(): Promise<void>;
}

export interface StartWebProcesses {
  /** The file that a web process runs. */
  program: string;
  /** Cancels the start; what is running is stopped, and the signal's reason is thrown. */
  signal: AbortSignal;
}

/**
 * Starts the engines once, then `config.webProcesses` processes that accept connections on the same port. A process that exits is replaced, with growing pauses if it exits again soon. The
 * first one also runs jobs, if the configuration says so. This process handles no request itself, so that nothing that
 * a request does can stop it. If it cannot start, it throws one message that says what to do.
 */
export async function startWebProcesses(config: Config, options: StartWebProcesses): Promise<WebProcesses> {
  const log = pino({ level: config.logLevel, base: { pid: process.pid } });
  const stops = new StopStack();
  try {
    await startParts(config, { ...options, log, stops });
    return { stop: () => stops.stop() };
  } catch (failure) {
    await stops.stop().catch((err: unknown) => log.error({ err }, "stopping failed"));
    throw failure;
  }
}

async function startParts(
  config: Config,
  { program, signal, log, stops }: StartWebProcesses & { log: Logger; stops: StopStack },
): Promise<void> {
  // Wrong settings are reported before the engines start, as in a single process.
  createClientAddress(config.trustedProxies);
  await checkAddress(config);
  const progress = (step: string) => process.stderr.write(`svc: ${step} …\n`);
  const { addresses, stop } = await startSharedEngines(config, { log, progress, onClaimLost: () => undefined });
  stops.push("engines", stop);
  signal.throwIfAborted();
  progress(`starting ${config.webProcesses} web processes`);
  // Every process accepts connections itself. With Node's default the supervising process would pass them on, and one on
  // its way to a process that is killed would stay open without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Structured clones keep the sets of the configuration.
  cluster.setupPrimary({ exec: program, args: [], serialization: "advanced" });
  const slots = new Slots(config, { log, signal });
  stops.push("web processes", () => slots.stop());
  const first = await slots.open({ ...addresses, slot: 0, of: config.webProcesses });
  const demo = { opened: first.demo };
  // Requests are handled from now on, and the configuration has proved right.
  await slots.openOthers(
    Array.from({ length: config.webProcesses - 1 }, (_, i) => ({
      ...addresses,
      slot: i + 1,
      of: config.webProcesses,
      demo,
    })),
  );
  welcome(config, first.demo);
}

const NOT_STARTED = "a web process could not be started yet";

/** The web processes, each replaced in its place when it exits. */
class Slots {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #supervisors: Supervisor<WebProcessExit>[] = [];
  readonly #ready = new Set<WebProcess>();

  constructor(config: Config, { log, signal }: { log: Logger; signal: AbortSignal }) {
    this.#config = config;
    this.#log = log;
    this.#signal = signal;
  }

  /** Starts the process of a slot and keeps it running; throws if the first attempt fails. */
  async open(member: Member): Promise<{ demo: Demo | undefined }> {
    const { slot } = member;
    const { demo, ...process } = await this.#launch(member, this.#signal);
    const log = this.#log;
    const supervisor = new Supervisor<WebProcessExit>(process, {
      // Its keys are in use, so a process that is replaced keeps the demo that it had.
      relaunch: (signal) => this.#launch({ ...member, demo: { opened: demo } }, signal),
      onDeath: (exit, pid) => log.error({ exit, slot, exited: pid }, "a web process exited and is being replaced"),
      onFailure: (err) => log.error({ err, slot }, NOT_STARTED),
    });
    this.#supervisors.push(supervisor);
    return { demo };
  }

  /** Starts a process per slot, again and again until each is ready. */
  async openOthers(members: readonly Member[]): Promise<void> {
    const opened = await Promise.allSettled(members.map((member) => this.#openPatiently(member)));
    for (const each of opened) if (each.status === "rejected") throw each.reason;
  }

  async #openPatiently(member: Member): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.open(member);
        return;
      } catch (err) {
        this.#signal.throwIfAborted();
        this.#log.error({ err, slot: member.slot }, NOT_STARTED);
        await pause(backoffMs(attempt, { baseMs: 100 }), this.#signal);
        this.#signal.throwIfAborted();
      }
    }
  }

  async stop(): Promise<void> {
    const stopped = await Promise.allSettled(this.#supervisors.map((each) => each.stop()));
    const failures = stopped.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    for (const err of failures) this.#log.error({ err }, "stopping failed: a web process");
    if (failures.length > 0) throw failures[0];
  }

  async #launch(member: Member, signal: AbortSignal): Promise<WebProcess> {
    const roles = member.slot === 0 ? this.#config.roles : new Set(["web"] as const);
    const launched = await launchWebProcess(
      { ...this.#config, roles, member },
      { signal, readMetrics: () => this.#readMetrics() },
    );
    this.#ready.add(launched);
    void launched.exited.then(() => this.#ready.delete(launched));
    return launched;
  }

  async #readMetrics() {
    const read = await Promise.all([...this.#ready].map((each) => each.metrics()));
    return read.filter((metrics) => metrics !== undefined);
  }
}
