import path from "node:path";

/** The paths of the embedded Postgres in svc's data directory. */
export interface ClusterPaths {
  /** PostgreSQL's own data directory. */
  cluster: string;
  /** The superuser's password, 0600. */
  password: string;
  log: string;
  /** Records which process owns the server. */
  owner: string;
  /** Locked while a server is started, adopted or stopped. */
  lock: string;
}

export const clusterPaths = (dataDir: string): ClusterPaths => ({
  cluster: path.join(dataDir, "postgres"),
  password: path.join(dataDir, "postgres.password"),
  log: path.join(dataDir, "postgres.log"),
  owner: path.join(dataDir, "postgres.owner"),
  lock: path.join(dataDir, "postgres.lock"),
});
