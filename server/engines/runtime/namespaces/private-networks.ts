import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { KeyedQueue } from "../../../kernel/keyed-queue";
import { runScript } from "../../perl/run-script";
import { programFields } from "../../programs/program-fields";
import type { OutboundProxy } from "../network/outbound-proxy";
import type { JoinedNetwork, NetworkState, RuntimeNetworks } from "../runtime-networks";
import { isMountPoint } from "./workload-disk";
import { WorkloadFolder } from "./workload-folder";

export interface PrivateNetworksParts {
  scripts: string;
  /** Absolute; has one file per network. */
  dir: string;
  /** The folder of the workloads. */
  workloads: string;
}

/** What a workload needs to start in a private network. */
export interface NetworkPlace extends JoinedNetwork {
  /** The file that keeps the network. */
  file: string;
}

const HOSTS = "hosts";

/** Private networks as network namespaces with a bridge, which files of the node keep while svc restarts. */
export class PrivateNetworks implements RuntimeNetworks {
  readonly #states = new Map<string, NetworkState>();
  /** By workload; null: it is in none. */
  readonly #networkOf = new Map<string, string | null>();
  /** Of the changes of a network; they follow each other. */
  readonly #turns = new KeyedQueue();

  constructor(
    readonly parts: PrivateNetworksParts,
    readonly endConnections: OutboundProxy["endOf"],
  ) {}

  /** A sentence on why this node has no private networks; undefined if a trial succeeds. */
  static async probe(parts: PrivateNetworksParts): Promise<string | undefined> {
    if (process.getuid?.() !== 0) return "there are no private networks: only the root user can make them";
    const file = path.join(parts.dir, ".probe");
    try {
      await make(parts, file);
      return undefined;
    } catch (cause) {
      return `there are no private networks: ${cause instanceof Error ? cause.message.trim() : String(cause)}`;
    } finally {
      await unmake(parts, file);
    }
  }

  /**
   * Makes the network unless it exists, and writes the names that the workload finds in it. In the turn of the network, so
   * that a change that is applied meanwhile is written after it.
   */
  async place(joined: JoinedNetwork, { dir, hostname }: { dir: string; hostname: string }): Promise<NetworkPlace> {
    const file = this.#file(joined.id);
    await this.#turns.run(joined.id, async () => {
      await make(this.parts, file);
      this.#networkOf.set(path.basename(dir), joined.id);
      const own = `${joined.address} ${hostname}\n`;
      const contents = hostsFile(this.#states.get(joined.id)?.hosts ?? own);
      await new WorkloadFolder(dir).writeNotice(HOSTS, contents);
    });
    return { ...joined, file };
  }

  /** Deletes a network that no workload has; called when one of its workloads has ended or is gone. */
  async forget(workload: string, network: string | undefined): Promise<void> {
    this.#networkOf.delete(workload);
    if (network === undefined) return;
    await this.remove(network);
  }

  async unused(): Promise<string[]> {
    const all = (await readdir(this.parts.dir).catch(() => [])).filter((name) => !name.startsWith("."));
    const used = await this.#used();
    return all.filter((id) => !used.has(id));
  }

  remove(network: string): Promise<void> {
    return this.#turns.run(network, async () => {
      if (path.basename(network) !== network || (await this.#used()).has(network)) return;
      this.#states.delete(network);
      await unmake(this.parts, this.#file(network));
    });
  }

  /** The networks of workloads that have not ended. */
  async #used(): Promise<ReadonlySet<string | undefined>> {
    const names = await readdir(this.parts.workloads).catch(() => []);
    const states = await Promise.all(names.map((name) => this.#folder(name).state()));
    const active = names.filter((_, i) => states[i]?.state !== "exited");
    return new Set(await Promise.all(active.map((name) => this.#find(name))));
  }

  async apply(states: readonly NetworkState[]): Promise<void> {
    const changed = states.filter((state) => !isSame(state, this.#states.get(state.id)));
    await Promise.all(changed.map((state) => this.#turns.run(state.id, () => this.#change(state))));
  }

  async #change(state: NetworkState): Promise<void> {
    this.#states.set(state.id, state);
    const names = (await readdir(this.parts.workloads)).filter((name) => !name.startsWith("."));
    for (const name of names) if ((await this.#find(name)) === state.id) await this.#tell(name, state);
  }

  /** Whether the connections of a workload to public addresses are passed on. */
  async hasEgress(workload: string): Promise<boolean> {
    const network = await this.#find(workload);
    return network === undefined || (this.#states.get(network)?.hasEgress ?? false);
  }

  async #tell(workload: string, { hosts, hasEgress }: NetworkState): Promise<void> {
    if (!hasEgress) this.endConnections(workload);
    // One that is being deleted has no folder any more.
    await this.#folder(workload)
      .writeNotice(HOSTS, hostsFile(hosts))
      .catch(() => undefined);
  }

  /** The network of a workload; undefined if it is in none, or does not exist. */
  async #find(workload: string): Promise<string | undefined> {
    const known = this.#networkOf.get(workload);
    if (known !== undefined) return known ?? undefined;
    const notes = await this.#folder(workload)
      .notes()
      .catch(() => undefined);
    if (notes) this.#networkOf.set(workload, notes.network ?? null);
    return notes?.network;
  }

  #folder(workload: string): WorkloadFolder {
    return new WorkloadFolder(path.join(this.parts.workloads, workload));
  }

  #file(network: string): string {
    return path.join(this.parts.dir, network);
  }
}

const isSame = (a: NetworkState, b: NetworkState | undefined): boolean =>
  a.hasEgress === b?.hasEgress && a.hosts === b.hosts;

const hostsFile = (hosts: string): string => `127.0.0.1 localhost\n::1 localhost\n${hosts}`;

async function make({ scripts, dir }: PrivateNetworksParts, file: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (await isMountPoint(file)) return;
  await writeFile(file, "", { mode: 0o600 });
  await runScript(scripts, ["keep-network.pl", "make"], programFields([["file", file]]));
}

async function unmake({ scripts }: PrivateNetworksParts, file: string): Promise<void> {
  if (await isMountPoint(file))
    await runScript(scripts, ["keep-network.pl", "remove"], programFields([["file", file]]));
  await rm(file, { force: true });
}
