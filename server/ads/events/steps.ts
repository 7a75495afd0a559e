/** The moments between which a crash must neither lose nor double anything; tests stop the process at each. */
export type Step =
  | "claim.sent"
  | "claim.committed"
  | "facts.inserted"
  | "replay.claimed"
  | "outbox.sliced"
  | "outbox.inserted"
  | "answer.kept";

/** Called at each step; in production it does nothing. */
export type AtStep = (step: Step) => void;

export const noStep: AtStep = () => undefined;
