import type { Outputs } from "../../../trpc/client";

export type Resource = Outputs["listResources"]["data"][number];
/** With what refers to it. */
export type ResourceWithDependents = Outputs["getResource"];
export type ResourceState = Resource["state"];

/** A placeholder is a plan: nothing of it exists. */
export const STATE_LABELS: Readonly<Record<ResourceState, string>> = {
  provisioning: "provisioning",
  ready: "ready",
  degraded: "degraded",
  failed: "failed",
  suspended: "suspended",
  deleting: "deleting",
  deleted: "deleted",
  placeholder: "planned",
};

export const STATE_TONES: Readonly<Record<ResourceState, "good" | "warn" | "bad" | "neutral" | "accent">> = {
  provisioning: "warn",
  ready: "good",
  degraded: "warn",
  failed: "bad",
  suspended: "neutral",
  deleting: "warn",
  deleted: "neutral",
  placeholder: "accent",
};

/** Whether svc is about to change the state by itself. */
export const isChanging = ({ state }: Pick<Resource, "state">): boolean =>
  state === "provisioning" || state === "deleting";

const TEXTS: Readonly<Record<ResourceState, { tone: "info" | "good" | "warn" | "bad"; text: string }>> = {
  provisioning: { tone: "info", text: "svc provisions it." },
  ready: { tone: "good", text: "It is as its spec says." },
  degraded: { tone: "warn", text: "It is not as its spec says." },
  failed: { tone: "bad", text: "The last attempt failed. svc tries again, after pauses that grow." },
  suspended: { tone: "warn", text: "It is not in use, because its service is not activated." },
  deleting: { tone: "warn", text: "svc removes it." },
  deleted: { tone: "info", text: "It is deleted." },
  placeholder: { tone: "warn", text: "It is only planned: nothing of it exists, and it costs nothing." },
};

/** What the state means, why it is that one, and what to do about it. */
export function stateText({ state, reason }: Pick<Resource, "state" | "reason">) {
  const { tone, text } = TEXTS[state];
  return { tone, text: [text, reason?.message].filter(Boolean).join(" "), remedy: remedyOf(reason) };
}

/** That of the API names its calls; the dashboard has buttons for this one. */
const remedyOf = (reason: Resource["reason"]): string | undefined =>
  reason?.code === "not_activated" ? "Activate the service to provision it." : reason?.remedy;

export const deletionOf = ({ name, kind, state }: Pick<Resource, "name" | "kind" | "state">) => ({
  title: `Delete ${name}?`,
  consequence:
    state === "placeholder"
      ? "The plan is deleted; nothing else exists."
      : `The ${kind} is removed with its data. This cannot be undone.`,
  action: "Delete resource",
});
