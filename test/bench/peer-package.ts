import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

/** Packages that only benches use, so that the lock file of svc does not list them and what they depend on. */
const VERSIONS = { "@portkey-ai/gateway": "1.15.2", autocannon: "9.0.0", bullmq: "6.7.0" };

/** The folder of a package, which npm installs below `.build/peers` at the first use. Without the registry npm's error is thrown. */
export async function peerFolder(name: keyof typeof VERSIONS): Promise<string> {
  const spec = `${name}@${VERSIONS[name]}`;
  const prefix = path.resolve(".build/peers", spec);
  const folder = path.join(prefix, "node_modules", name);
  const args = ["install", "--prefix", prefix, "--ignore-scripts", "--no-audit", "--no-fund", spec];
  if (!existsSync(folder)) await promisify(execFile)("npm", args);
  return folder;
}

/** The exports of a package; `T` states what the bench uses of them. */
export async function importPeer<T>(name: keyof typeof VERSIONS): Promise<T> {
  const folder = await peerFolder(name);
  return createRequire(path.join(folder, "package.json"))(folder) as T;
}
