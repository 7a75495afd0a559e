import type { SqlCtx } from "../../../identity/identity-ctx";

export interface SecretCtx extends SqlCtx {
  /** The root of the master keys of secrets. */
  secretsKey: Buffer;
}
