import type { Trace } from "./openb-trace";
import { OUR_POLICY } from "./our-packing";
import { type Departures, departures } from "./packing-departures";
import { PUBLISHED_POLICIES } from "./packing-policies";
import { sizeName } from "./scheduler-format";

const LOADS = [0.9, 1.05];
const ARRIVALS = 50_000;
const POLICIES = [...PUBLISHED_POLICIES.filter(({ name }) => ["BestFit", "FGD"].includes(name)), OUR_POLICY];

/** Rejected GPU demand of pods that arrive and end, at a load below and one above the capacity. */
export function printDepartures(trace: Trace, seeds: readonly number[], print: (line: string) => void): void {
  print(`Rejected GPU demand, %, with exponential lives and ${ARRIVALS} arrivals, of which the last 60 % count`);
  print("load policy        mean  worst seed  rejected % of the pods, by GPUs");
  for (const load of LOADS) {
    for (const policy of POLICIES) {
      const runs = seeds.map((seed) => departures(policy, trace, { load, arrivals: ARRIVALS, seed }));
      const rejected = runs.map(({ rejectedMilli, requestedMilli }) => (100 * rejectedMilli) / requestedMilli);
      const mean = rejected.reduce((sum, value) => sum + value, 0) / rejected.length;
      const figures = [
        mean.toFixed(2).padStart(6),
        Math.max(...rejected)
          .toFixed(2)
          .padStart(11),
      ];
      print(`${String(load).padEnd(4)} ${policy.name.padEnd(11)} ${figures.join(" ")}  ${bySize(runs)}`);
    }
  }
  print("");
}

function bySize(runs: readonly Departures[]): string {
  const sizes = [...new Set(runs.flatMap((run) => [...run.bySize.keys()]))].sort((a, b) => a - b);
  const sum = (size: number, field: "requested" | "rejected") =>
    runs.reduce((total, run) => total + (run.bySize.get(size)?.[field] ?? 0), 0);
  return sizes
    .map((size) => `${sizeName(size)}: ${((100 * sum(size, "rejected")) / sum(size, "requested")).toFixed(1)}`)
    .join(", ");
}
