import type { Pool } from "pg";
import type { RuntimeChoice } from "../../engines/runtime/choose-runtime";

/** The machine of a runner, as the process that has the claim on it sees it. */
export interface RunnerMachine {
  /** Of its runner: identifies the machine and its data directory. */
  id: string;
  /** What all pods together may reserve. */
  memoryMb: number;
  /** Where other processes of svc reach its workloads; null: nowhere. */
  address(): string | null;
  /** The runtime for a claim that has just been taken, whose connection is `claim`. Rejects if it cannot be reached. */
  open(claim: Pick<Pool, "query">): Promise<RuntimeChoice>;
  /** Rejects if the machine cannot be reached, which then counts as not reporting. */
  check(): Promise<void>;
}
