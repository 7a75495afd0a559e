import { eventKind } from "../../../operation/event-kind";
import { Pod } from "./pod";
import { endedPodExample, podExample } from "./pod.example";

/** Without `env` and `command`, which may contain what only readers of pods should see. */
export const PodFields = Pod.omit({ env: true, command: true });

const shown = ({ env: _env, command: _command, ...pod }: typeof podExample) => pod;
/** Declares what happens to a pod; by default with the example of one that has ended. */
export const podEvent = (type: string, description: string, example = endedPodExample) =>
  eventKind({ type, description, data: PodFields, example: shown(example) });

export const podCreated = podEvent("pod.created", "A pod was created.", podExample);
export const podDeleted = podEvent("pod.deleted", "A pod was deleted.");
