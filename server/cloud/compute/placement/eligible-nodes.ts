import type { Mode } from "../../../operation/actor";
import { type BoundToNode, isAllowedOn } from "./bound-to-node";
import type { CandidateNode, NodeReport } from "./pod-nodes.sql";

/** What a pod needs that not every machine can do. */
export interface NeededAbilities {
  mode: Mode;
  ports: readonly number[];
  /** GiB; null: it has no volume. */
  volumeGb: number | null;
}

type Able = Pick<NodeReport, "kind" | "reachesPorts" | "keepsVolumes">;

/** Why a machine runs no pods of live keys. */
export const TEST_KEYS_ONLY =
  "Pods of live keys need isolation: this machine runs pods as plain processes (RUNTIME=process), which is for test keys only.";

/** The machines that can run a pod, reach its ports and keep its volume; of one that is bound to a machine only that. */
export const eligibleNodes = (
  runners: readonly CandidateNode[],
  needed: NeededAbilities & BoundToNode,
): readonly CandidateNode[] => runners.filter((runner) => canRun(runner, needed) && isAllowedOn(needed, runner.id));

export const canRun = (runner: Able, needed: NeededAbilities): boolean =>
  runsMode(runner, needed.mode) && reaches(runner, needed) && keeps(runner, needed);

/** Pods of test keys alone may run without isolation. */
export const runsMode = ({ kind }: Pick<Able, "kind">, mode: Mode): boolean =>
  kind !== null && (kind !== "process" || mode === "test");

export const reaches = ({ reachesPorts }: Pick<Able, "reachesPorts">, { ports }: NeededAbilities): boolean =>
  ports.length === 0 || reachesPorts;

const keeps = ({ keepsVolumes }: Pick<Able, "keepsVolumes">, { volumeGb }: NeededAbilities): boolean =>
  volumeGb === null || keepsVolumes;
