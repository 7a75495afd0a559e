/** The place of a workload in a private network of its node. */
export interface JoinedNetwork {
  /** As ids of allocations; the network exists while a workload of it runs. */
  id: string;
  /** IPv4, of this workload alone. */
  address: string;
  /** The length of the prefix of the whole network, whose addresses are reached directly. */
  prefixLength: number;
}

/** What holds for all workloads of a private network from now on. */
export interface NetworkState {
  id: string;
  /** Whether the proxy passes their connections to public addresses; false until it is said. */
  hasEgress: boolean;
  /** Lines for `/etc/hosts`: the names of its workloads. */
  hosts: string;
}

/** The private networks of a node: workloads of one reach each other, and nothing else of the node. */
export interface RuntimeNetworks {
  /** Takes effect for workloads that run, too. Networks that are not named stay as they are. Can be repeated. */
  apply(states: readonly NetworkState[]): Promise<void>;
  /** Those that no workload has: a crash while a workload was prepared leaves one behind. */
  unused(): Promise<string[]>;
  /** Deletes a network unless a workload has it. Succeeds for an unknown id. */
  remove(id: string): Promise<void>;
}
