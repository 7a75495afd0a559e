import path from "node:path";

/** Where the embedded Postgres keeps what inside svc's data directory. */
export interface ClusterPaths {
  /** PostgreSQL's own data directory. */
  cluster: string;
  /** The superuser's password, 0600. */
  password: string;
  log: string;
  /** Which process the server belongs to. */
  owner: string;
  /** Held while a server is started, adopted or stopped. */
  lock: string;
}

export const clusterPaths = (dataDir: string): ClusterPaths => ({
  cluster: path.join(dataDir, "postgres"),
  password: path.join(dataDir, "postgres.password"),
  log: path.join(dataDir, "postgres.log"),
  owner: path.join(dataDir, "postgres.owner"),
  lock: path.join(dataDir, "postgres.lock"),
});
