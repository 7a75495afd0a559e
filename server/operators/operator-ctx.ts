import type { Pool } from "pg";
import type { RootKeys } from "../cloud/data/objects/encryption";
import type { AccountCtx } from "../identity/identity-ctx";

/** The context of operator commands, with or without a running server. */
export type OperatorCtx = Pick<
  AccountCtx,
  "db" | "clock" | "counters" | "hasher" | "mail" | "publicUrl" | "jwtKey" | "logInKey" | "quotas"
> & {
  /** The same Postgres as `db`. */
  sql: Pool;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
  /** The roots of the data keys of objects. */
  objectKeys: RootKeys;
  /** The root of the keys of nodes that run pods. */
  nodesKey: Buffer;
  /** Receives one short line per step of a long command. */
  progress: (step: string) => void;
  /** SVC_SIGNUP, which applies until an operator sets the mode. */
  configuredSignUp: "open" | "invite";
};

/** The output of a command: text for people, or JSON with `--json`. */
export interface CommandResult {
  text: string;
  json: unknown;
  /** Default 0; 1 if a check failed. */
  status?: 0 | 1;
}
