import type { Mode } from "../../../operation/actor";
import { type BoundToNode, isAllowedOn } from "./bound-to-node";
import type { CandidateNode, NodeReport } from "./pod-nodes.sql";

/** What a pod needs that not every node can do. */
export interface NeededAbilities {
  mode: Mode;
  ports: readonly number[];
  /** GiB; null: it has no volume. */
  volumeGb: number | null;
}

type Able = Pick<NodeReport, "kind" | "reachesPorts" | "keepsVolumes">;

/** Why a node runs no pods of live keys. */
export const TEST_KEYS_ONLY =
  "Pods of live keys need isolation: this node runs pods as plain processes (RUNTIME=process), which is for test keys only.";

/** The nodes that can run a pod, reach its ports and keep its volume; of one that is bound to a node only that. */
export const eligibleNodes = (
  nodes: readonly CandidateNode[],
  needed: NeededAbilities & BoundToNode,
): readonly CandidateNode[] => nodes.filter((node) => canRun(node, needed) && isAllowedOn(needed, node.id));

export const canRun = (node: Able, needed: NeededAbilities): boolean =>
  runsMode(node, needed.mode) && reaches(node, needed) && keeps(node, needed);

/** Pods of test keys alone may run without isolation. */
export const runsMode = ({ kind }: Pick<Able, "kind">, mode: Mode): boolean =>
  kind !== null && (kind !== "process" || mode === "test");

export const reaches = ({ reachesPorts }: Pick<Able, "reachesPorts">, { ports }: NeededAbilities): boolean =>
  ports.length === 0 || reachesPorts;

const keeps = ({ keepsVolumes }: Pick<Able, "keepsVolumes">, { volumeGb }: NeededAbilities): boolean =>
  volumeGb === null || keepsVolumes;
