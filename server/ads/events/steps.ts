/** The steps between which a crash must neither lose nor duplicate data; tests stop the process at each. */
export type Step =
  | "claim.sent"
  | "claim.committed"
  | "facts.inserted"
  | "replay.claimed"
  | "outbox.sliced"
  | "outbox.inserted"
  | "answer.kept";

/** Called at each step; does nothing in production. */
export type AtStep = (step: Step) => void;

export const noStep: AtStep = () => undefined;
