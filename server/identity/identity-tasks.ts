import type { Tasks } from "../engines/jobs/start-jobs";
import { sweepExpired } from "./expired/sweep-expired";
import type { AccountCtx } from "./identity-ctx";
import { RECORD_FAILED_SIGN_IN, RecordFailedSignIn, recordFailedSignIn } from "./log-ins/record-failed-sign-in";
import { SEND_LOG_IN_CODE, SendLogInCode, sendLogInCode } from "./log-ins/send-log-in-code";
import { SEND_PASSWORD_RESET } from "./passwords/request-password-reset";
import { SendPasswordReset, sendPasswordReset } from "./passwords/send-password-reset";

const SWEEP_EXPIRED = "sweep_expired";

/** Hourly, in the crontab format of graphile-worker. */
export const IDENTITY_CRONTAB = `17 * * * * ${SWEEP_EXPIRED}`;

/** The background tasks of the account system. */
export const identityTasks = (ctx: AccountCtx): Tasks => ({
  [SEND_PASSWORD_RESET]: (payload) => sendPasswordReset(ctx, SendPasswordReset.parse(payload)),
  [SEND_LOG_IN_CODE]: (payload) => sendLogInCode(ctx, SendLogInCode.parse(payload)),
  [RECORD_FAILED_SIGN_IN]: (payload) => recordFailedSignIn(ctx, RecordFailedSignIn.parse(payload)),
  [SWEEP_EXPIRED]: () => sweepExpired(ctx),
});
