import type { QuietPart } from "../part";
import { RECORD_FAILED_SIGN_IN, RecordFailedSignIn, recordFailedSignIn } from "./record-failed-sign-in";
import { type CodeEmailCtx, SEND_LOG_IN_CODE, SendLogInCode, sendLogInCode } from "./send-log-in-code";

/** What follows a log-in after its response. */
export const logInsPart: QuietPart<CodeEmailCtx> = {
  name: "log-ins",
  start: ({ db, clock, counters, mail, logInKey }) => ({
    gives: {},
    tasks: {
      [SEND_LOG_IN_CODE]: (payload) =>
        sendLogInCode({ db, clock, counters, mail, logInKey }, SendLogInCode.parse(payload)),
      [RECORD_FAILED_SIGN_IN]: (payload) => recordFailedSignIn({ db }, RecordFailedSignIn.parse(payload)),
    },
  }),
};
