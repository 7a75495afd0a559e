import type { Actor } from "../../operation/actor";
import type { RequestCounter } from "./request-counter";

/** Counts a response to a platform key; other actors are not counted. */
export function countPlatformKey(counter: RequestCounter, actor: Actor | undefined, status: number): void {
  if (actor?.kind !== "key") return;
  const { tenantId, mode, keyId, projectId } = actor;
  if (!counter.count(keyId, status)) {
    counter.add({ tenantId, mode, kind: "platform", keyId, parentId: projectId }, status);
  }
}
