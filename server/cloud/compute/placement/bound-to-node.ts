import type { Blocked } from "./choose-node";

/** A pod, as far as what it has attached binds it to a machine. */
export interface BoundToNode {
  /** null: it may run on any. */
  requiredRunnerId: string | null;
}

export const isAllowedOn = ({ requiredRunnerId }: BoundToNode, runnerId: string): boolean =>
  requiredRunnerId === null || requiredRunnerId === runnerId;

/** Why a bound pod waits whatever else is free; `able` are the machines that could run it. */
export const boundWait = ({ requiredRunnerId }: BoundToNode, able: readonly object[]): Blocked | undefined =>
  requiredRunnerId !== null && able.length === 0 ? MACHINE_AWAY : undefined;

const MACHINE_AWAY: Blocked = {
  code: "machine_away",
  message:
    "What is attached to the pod is on one machine, which does not report at present or cannot run this pod. It waits for that machine.",
};
