import type { AccountCtx } from "../identity-ctx";
import type { Part } from "../part";
import { signUpRoutes } from "./sign-up.routes";
import { createSignUpModeReader, type SignUpMode, type SignUpModeParts } from "./sign-up-mode";

interface Needs extends Omit<SignUpModeParts, "configured"> {
  config: {
    /** The default for who may sign up; an operator's setting overrides it. */
    signup: SignUpMode;
  };
}

/** New tenants. */
export const signUpPart: Part<Needs, Pick<AccountCtx, "signUpMode">, typeof signUpRoutes> = {
  name: "sign-up mode",
  routes: [signUpRoutes],
  start: async ({ db, clock, counters, config }) => {
    const signUpMode = await createSignUpModeReader({ db, clock, counters, configured: config.signup });
    return { gives: { signUpMode }, stop: () => signUpMode.close() };
  },
};
