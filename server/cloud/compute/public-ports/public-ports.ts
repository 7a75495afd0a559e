import { once } from "node:events";
import net, { type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import type { Logger } from "pino";
import { type ClaimSession, claimName } from "../../../engines/postgres/session-claim";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { ClientLimitOptions } from "../../../identity/client-limit";
import type { RunningRound } from "../../../kernel/alarms";
import { PortConnections } from "./port-connections";
import type { PublicPortParts } from "./public-port-ctx";
import { activePorts, closedPorts, openedPort, type PortForward, runOfTarget } from "./public-ports.sql";

export interface PublicPortsCtx extends Pick<PublicPortParts, "sql" | "podRuns" | "publicPorts"> {
  log: Pick<Logger, "warn">;
  alarms: Pick<StartedAlarms, "add" | "wake">;
  connectionsPerAddress: ClientLimitOptions;
}

const TOPIC = "public-ports";
/** After this, a process that does not listen tries again to become the one that does. */
const CLAIM_AGAIN_MS = 5000;
/** Until a port that could not be opened is tried again. */
const OPEN_AGAIN_MS = 1000;
/** Of one port, at once. */
const CONNECTIONS_MAX = 256;
/** Without a byte in either direction. */
const IDLE_MS = 10 * 60_000;

interface Listening {
  /** What it leads to; replaced when its resource changes. */
  forward: PortForward;
  server: Server;
  open: Set<Socket>;
}

/** Listens on public ports and passes their connections to pods. One process at a time does this for an installation. */
export class PublicPorts {
  readonly #listening = new Map<string, Listening>();
  readonly #round: RunningRound;
  readonly #connections: PortConnections;
  #claim: ClaimSession | undefined;
  #isComplete = false;

  constructor(readonly ctx: PublicPortsCtx) {
    this.#connections = new PortConnections(ctx.connectionsPerAddress);
    this.#round = ctx.alarms.add({
      topic: TOPIC,
      purpose: "listen on public ports",
      everyMs: () => this.#nextMs(),
      run: () => this.#follow(),
    });
  }

  async stop(): Promise<void> {
    await this.#round.stop();
    for (const id of [...this.#listening.keys()]) this.#close(id);
    await this.#claim?.close();
  }

  /** A process that listens on all ports waits for changes. */
  #nextMs(): number | undefined {
    if (!this.#claim) return CLAIM_AGAIN_MS;
    return this.#isComplete ? undefined : OPEN_AGAIN_MS;
  }

  async #follow(): Promise<void> {
    const claim = this.#claim ?? (await this.#takeClaim());
    if (!claim) return;
    const wanted = new Map((await activePorts(claim.client)).map((forward) => [forward.id, forward]));
    for (const [id, { forward }] of this.#listening) {
      const now = wanted.get(id);
      if (now?.port !== forward.port) this.#close(id);
    }
    for (const forward of wanted.values()) await this.#forward(forward);
    await closedPorts(this.ctx.sql, [...this.#listening.keys()]);
    this.#isComplete = this.#listening.size === wanted.size;
  }

  async #forward(forward: PortForward): Promise<void> {
    const listening = this.#listening.get(forward.id);
    if (!listening) return this.#open(forward);
    if (listening.forward.target !== forward.target || listening.forward.targetPort !== forward.targetPort)
      for (const socket of listening.open) socket.destroy();
    listening.forward = forward;
  }

  async #open(forward: PortForward): Promise<void> {
    const { host } = this.ctx.publicPorts;
    const open = new Set<Socket>();
    const server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      const listening = this.#listening.get(forward.id);
      if (!listening || open.size >= CONNECTIONS_MAX) return void socket.destroy();
      const release = this.#connections.open(forward.tenantId, socket.remoteAddress ?? "");
      if (!release) return void socket.destroy();
      open.add(socket);
      socket.once("close", () => {
        open.delete(socket);
        release();
      });
      socket.setTimeout(IDLE_MS).once("timeout", () => socket.destroy());
      this.#pass(listening.forward, socket).catch(() => socket.destroy());
    });
    try {
      server.listen(forward.port, host);
      await once(server, "listening");
      server.on("error", (err) => this.ctx.log.warn({ err, port: forward.port }, "a public port failed"));
      this.#listening.set(forward.id, { forward, server, open });
      await openedPort(this.ctx.sql, forward.id, { address: `${host}:${forward.port}`, failure: null });
    } catch (err) {
      server.close();
      this.#listening.delete(forward.id);
      const code = (err as NodeJS.ErrnoException).code ?? "an error";
      await openedPort(this.ctx.sql, forward.id, {
        address: null,
        failure: `Port ${forward.port} cannot be opened: ${code}.`,
      });
    }
  }

  async #pass({ id, port: _port, ...forward }: PortForward, socket: Socket): Promise<void> {
    socket.pause();
    const run = await runOfTarget(this.ctx.sql, forward);
    if (!run) return void socket.destroy();
    const runtime = await this.ctx.podRuns.runtime(run.nodeId);
    const pod = await runtime.connect(run.id, forward.targetPort);
    if (socket.destroyed || !this.#listening.has(id)) {
      socket.destroy();
      return void pod.destroy();
    }
    pipeline(socket, pod, socket, () => {
      socket.destroy();
      pod.destroy();
    });
  }

  #close(id: string): void {
    const listening = this.#listening.get(id);
    this.#listening.delete(id);
    listening?.server.close();
    for (const socket of listening?.open ?? []) socket.destroy();
  }

  async #takeClaim(): Promise<ClaimSession | undefined> {
    const claim = await claimName(this.ctx.sql.options.connectionString, "public-ports");
    this.#claim = claim;
    claim?.signal.addEventListener("abort", () => {
      if (this.#claim !== claim) return;
      this.#claim = undefined;
      // Another process may listen from now on.
      for (const id of [...this.#listening.keys()]) this.#close(id);
      this.ctx.alarms.wake(TOPIC);
    });
    return claim;
  }
}
