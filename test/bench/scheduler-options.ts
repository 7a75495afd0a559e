import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

export interface SchedulerOptions {
  /** Pod lists, each with the node list that it is replayed on. */
  lists: readonly { name: string; podsFile: string; nodesFile: string }[];
  seeds: readonly number[];
}

const FIRST_SEED = 42;
const SEEDS = 10;
const NODE_LIST = "openb_node_list_gpu_node.csv";
const POD_LIST = /^openb_pod_list_.*\.csv$/;

/**
 * What to replay: `--pods <list.csv>` or OPENB_PODS, else every openb_pod_list_*.csv of the folder given as argument or
 * OPENB_DIR; on `--nodes <list.csv>` or OPENB_NODES, else the list of GPU nodes beside the pods. `--seeds <count>` is 10
 * by default. Without a list, `lists` is empty.
 */
export function schedulerOptions(args: readonly string[], env: NodeJS.ProcessEnv): SchedulerOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { pods: { type: "string" }, nodes: { type: "string" }, seeds: { type: "string" } },
    allowPositionals: true,
  });
  const count = Number(values.seeds ?? SEEDS);
  if (!Number.isInteger(count) || count < 1) throw new Error("--seeds must be a whole number of at least 1");
  const pods = values.pods ?? env.OPENB_PODS;
  const files = pods ? [pods] : podLists(positionals[0] ?? env.OPENB_DIR);
  const lists = files.map((podsFile) => ({
    name: path.basename(podsFile, ".csv").replace("openb_pod_list_", ""),
    podsFile,
    nodesFile: values.nodes ?? env.OPENB_NODES ?? path.join(path.dirname(podsFile), NODE_LIST),
  }));
  return { lists, seeds: Array.from({ length: count }, (_, i) => FIRST_SEED + i) };
}

function podLists(dir: string | undefined): string[] {
  if (!dir) return [];
  if (!existsSync(dir)) throw new Error(`${dir}: there is no such folder`);
  return readdirSync(dir)
    .filter((name) => POD_LIST.test(name))
    .map((name) => path.join(dir, name));
}
