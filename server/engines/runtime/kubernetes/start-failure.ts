import { RuntimeError, type RuntimeErrorReason } from "../runtime";
import { AGENT_CONTAINER } from "./object-names";
import { workloadOf } from "./pod-observation";
import type { PodWire } from "./pod-wire";

export interface StartProblem {
  error: RuntimeError;
  /** Another try of the kubelet cannot succeed. */
  isFinal: boolean;
}

const IMAGE_REASONS: Readonly<Record<string, RuntimeErrorReason>> = {
  InvalidImageName: "image_invalid",
  ErrImageNeverPull: "image_not_found",
  ImageInspectError: "image_invalid",
  SignatureValidationFailed: "image_invalid",
};
const PULL_REASONS = new Set(["ErrImagePull", "ImagePullBackOff", "RegistryUnavailable"]);
const START_REASONS = new Set(["CreateContainerConfigError", "CreateContainerError", "RunContainerError"]);
const NOT_STARTED = new Set(["StartError", "ContainerCannotRun"]);
/** What engines and registries write, first match first; none is part of an API. */
const PULL_CAUSES: readonly (readonly [RegExp, RuntimeErrorReason])[] = [
  [/no match for platform|no matching manifest|unsupported (platform|media)/i, "image_unsupported"],
  [/unauthorized|authentication required|access denied|forbidden|\b40[13]\b/i, "registry_unauthorized"],
  [/manifest unknown|not found|does not exist|name unknown|\b404\b/i, "image_not_found"],
  [/digest|checksum/i, "digest_mismatch"],
];
const FINAL = new Set<RuntimeErrorReason>(["image_unsupported", "registry_unauthorized", "image_not_found"]);
const MESSAGE_CHARS_MAX = 300;

/** Why the workload of a pod does not start; undefined while nothing speaks against it. */
export function startProblem(pod: PodWire, reference: string): StartProblem | undefined {
  const { waiting, terminated, running } = workloadOf(pod)?.state ?? {};
  const { phase, message } = pod.status ?? {};
  if (phase === "Failed" && !terminated && !running) {
    return final("start_failed", `The node of the workload rejected it: ${sentence(message)}.`);
  }
  if (terminated && (!terminated.startedAt || NOT_STARTED.has(terminated.reason ?? ""))) {
    return final("start_failed", `The workload did not start: ${sentence(terminated.message)}.`);
  }
  if (waiting) return waitingProblem(waiting, reference);
  const agent = pod.status?.initContainerStatuses?.find(({ name }) => name === AGENT_CONTAINER)?.state?.waiting;
  if (!agent?.reason || !isAnyProblem(agent.reason)) return undefined;
  return later("start_failed", "svc's own container in the pod does not start: its image cannot be pulled.");
}

/** Also while the kubelet waits for its next try, in which it no longer names the cause. */
function waitingProblem(
  { reason = "", message }: { reason?: string; message?: string },
  reference: string,
): StartProblem | undefined {
  const image = IMAGE_REASONS[reason];
  if (image) return final(image, `The image ${reference} cannot be used: ${sentence(message)}.`);
  if (PULL_REASONS.has(reason)) {
    const cause = PULL_CAUSES.find(([pattern]) => pattern.test(message ?? ""))?.[1] ?? "registry_unreachable";
    const text = `The image ${reference} cannot be pulled: ${sentence(message)}.`;
    return FINAL.has(cause) ? final(cause, text) : later(cause, text);
  }
  if (START_REASONS.has(reason)) return later("start_failed", `The workload did not start: ${sentence(message)}.`);
  return undefined;
}

const isAnyProblem = (reason: string): boolean =>
  reason in IMAGE_REASONS || PULL_REASONS.has(reason) || START_REASONS.has(reason);

const final = (reason: RuntimeErrorReason, message: string): StartProblem => ({
  error: new RuntimeError(reason, message),
  isFinal: true,
});
const later = (reason: RuntimeErrorReason, message: string): StartProblem => ({
  ...final(reason, message),
  isFinal: false,
});

const sentence = (message = "the node gave no reason"): string =>
  message.replaceAll(/\s+/g, " ").slice(0, MESSAGE_CHARS_MAX).replace(/\.$/, "");
