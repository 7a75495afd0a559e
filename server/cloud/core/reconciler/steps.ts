/** The moments between a change of an effect and its record; a test stops the process at each. */
export type ResourceStep = "resource.provisioned" | "resource.suspended" | "resource.removed";

/** Called at each step, which goes on when it has resolved. */
export type AtResourceStep = (step: ResourceStep) => Promise<void> | void;
