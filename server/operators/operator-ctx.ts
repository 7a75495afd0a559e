import type { AccountCtx } from "../identity/identity-ctx";

/** What the commands of operators work with, beside a running server or without one. */
export type OperatorCtx = Pick<AccountCtx, "db" | "clock" | "counters" | "hasher" | "publicUrl" | "jwtKey"> & {
  /** SVC_SIGNUP, which counts until an operator sets the mode. */
  configuredSignUp: "open" | "invite";
};

/** What a command says: for people, and for programs with `--json`. */
export interface Answer {
  text: string;
  json: unknown;
  /** Default 0; 1 where what was checked is not as it should be. */
  status?: 0 | 1;
}
