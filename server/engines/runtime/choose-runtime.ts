import type { Runtime } from "./runtime";

/** One way to run workloads. */
export interface Rung {
  kind: Runtime["kind"];
  /** Runs a trivial workload and returns the runtime; throws an Error with the reason if that fails. */
  open(): Promise<Runtime>;
}

export type RuntimeChoice =
  /** `skipped` says for each stronger one why it cannot be used. */
  | { runtime: Runtime; reason?: undefined; skipped?: readonly string[] }
  /** A sentence that says for each runtime why it cannot be used. */
  | { runtime: undefined; reason: string };

/** The first runtime, of the strongest first, that runs a trivial workload here. */
export async function chooseRuntime(rungs: readonly Rung[]): Promise<RuntimeChoice> {
  const reasons: string[] = [];
  for (const { kind, open } of rungs) {
    try {
      return { runtime: await open(), skipped: reasons };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
      reasons.push(`${kind}: ${why}`);
    }
  }
  return { runtime: undefined, reason: `No runtime can run workloads on this node. ${reasons.join("; ")}.` };
}
