import type { QuietPart } from "../part";
import { passwordRoutes } from "./passwords.routes";
import { SEND_PASSWORD_RESET } from "./request-password-reset";
import { type ResetEmailCtx, SendPasswordReset, sendPasswordReset } from "./send-password-reset";

/** Passwords, and their replacement by a link in an email. */
export const passwordsPart: QuietPart<ResetEmailCtx, typeof passwordRoutes> = {
  name: "passwords",
  routes: [passwordRoutes],
  start: ({ db, clock, mail, publicUrl }) => ({
    gives: {},
    tasks: {
      [SEND_PASSWORD_RESET]: (payload) =>
        sendPasswordReset({ db, clock, mail, publicUrl }, SendPasswordReset.parse(payload)),
    },
  }),
};
