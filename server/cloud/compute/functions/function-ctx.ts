import type { SqlCtx } from "../../../identity/identity-ctx";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { FunctionRunner } from "./function-runner";

export interface FunctionCtx extends SqlCtx {
  /** How much tenants store, against their limits. */
  storedBytes: TenantRoom;
  /** Runs functions in this process. */
  functions: FunctionRunner;
}
