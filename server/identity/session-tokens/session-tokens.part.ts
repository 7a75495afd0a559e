import type { Part } from "../part";
import {
  createTokenAuthentication,
  type TokenAuthentication,
  type TokenAuthenticationOptions,
} from "./authenticate-session-token";
import { logInRoutes } from "./session-tokens.routes";

interface Gives {
  /** Finds the people of access tokens. */
  tokens: Pick<TokenAuthentication, "authenticate">;
}

/** Log-ins through the API. */
export const sessionTokensPart: Part<TokenAuthenticationOptions, Gives, typeof logInRoutes> = {
  name: "session tokens",
  routes: [logInRoutes],
  start: async ({ db, clock, counters, jwtKey, publicUrl }) => {
    const tokens = await createTokenAuthentication({ db, clock, counters, jwtKey, publicUrl });
    return { gives: { tokens }, stop: () => tokens.close() };
  },
};
