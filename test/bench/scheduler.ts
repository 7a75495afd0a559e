import { existsSync } from "node:fs";
import path from "node:path";
import { readNodes, readPods, records, type Trace } from "./openb-trace";
import { OUR_POLICY } from "./our-packing";
import { PUBLISHED_POLICIES } from "./packing-policies";
import { type Policy, replay } from "./packing-replay";
import { measureDecisions } from "./scheduler-cost";
import { printDepartures } from "./scheduler-departures";
import { rejectedBySize } from "./scheduler-format";
import { type SchedulerOptions, schedulerOptions } from "./scheduler-options";

/**
 * Replays pod lists of the openb trace with the policies of Weng et al. and with ours: GPUs allocated, rejections with
 * departures, and the cost of a decision.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const [, ...args] = process.argv.slice(2).filter((word) => word !== "bench");
  const { lists, seeds } = schedulerOptions(args, process.env);
  if (lists.length === 0) return print("scheduler: skipped, give --pods <pod list.csv>, a folder, or set OPENB_DIR.");
  for (const list of lists) {
    const trace = { nodes: readNodes(list.nodesFile), pods: readPods(list.podsFile) };
    print(`### ${list.name}: ${trace.pods.length} pods, ${trace.nodes.length} nodes, ${seeds.length} seeds\n`);
    printAllocation(trace, { list, seeds }, print);
    printDepartures(trace, seeds, print);
    measureDecisions(trace, print);
    print("");
  }
}

interface Printed {
  list: SchedulerOptions["lists"][number];
  seeds: readonly number[];
}

function printAllocation(trace: Trace, { list, seeds }: Printed, print: (line: string) => void): void {
  const published = publishedMeans(list.podsFile);
  print("GPUs allocated, % of capacity, after arrivals of 100 % and 130 % of it, without departures");
  print("policy         100 % published  130 % published  worst seed  pods rejected in a run, by GPUs");
  for (const policy of [...PUBLISHED_POLICIES, OUR_POLICY]) {
    const runs = seeds.map((seed) => replay(policy, trace, seed));
    const at = (percent: number) => runs.map(({ allocation }) => allocation[percent] as number);
    const figures = [
      mean(at(100)).toFixed(2).padStart(6),
      published(policy, 100).padStart(9),
      mean(at(130)).toFixed(2).padStart(6),
      published(policy, 130).padStart(9),
      Math.min(...at(130))
        .toFixed(2)
        .padStart(11),
    ];
    print(`${policy.name.padEnd(13)} ${figures.join(" ")}  ${rejectedBySize(runs.map(({ rejected }) => rejected))}`);
  }
  print("");
}

/** The mean over the published runs of a policy on the list, "-" where there are none. */
function publishedMeans(podsFile: string): (policy: Policy, percent: number) => string {
  const file = path.join(path.dirname(podsFile), "expected", "analysis_allo_discrete.csv");
  const rows = existsSync(file) ? records(file) : [];
  const workload = path.basename(podsFile, ".csv");
  return ({ name }, percent) => {
    const runs = rows.filter((row) => row.workload === workload && row.sc_policy?.endsWith(`-${name}`));
    return runs.length > 0 ? mean(runs.map((row) => Number(row[percent]))).toFixed(2) : "-";
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
