import type { Tasks } from "../engines/jobs/start-jobs";
import type { AccountCtx } from "./identity-ctx";
import { sweepExpired } from "./sweep-expired";
import { RECORD_FAILED_SIGN_IN, RecordFailedSignIn, recordFailedSignIn } from "./users/record-failed-sign-in";
import { SEND_PASSWORD_RESET } from "./users/request-password-reset";
import { SendPasswordReset, sendPasswordReset } from "./users/send-password-reset";

const SWEEP_EXPIRED = "sweep_expired";

/** Hourly, in graphile-worker's notation. */
export const IDENTITY_CRONTAB = `17 * * * * ${SWEEP_EXPIRED}`;

/** What the account system has workers run. */
export const identityTasks = (ctx: AccountCtx): Tasks => ({
  [SEND_PASSWORD_RESET]: (payload) => sendPasswordReset(ctx, SendPasswordReset.parse(payload)),
  [RECORD_FAILED_SIGN_IN]: (payload) => recordFailedSignIn(ctx, RecordFailedSignIn.parse(payload)),
  [SWEEP_EXPIRED]: () => sweepExpired(ctx),
});
