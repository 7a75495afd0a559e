import type { Part } from "../part";
import { apiKeyEventKinds } from "./api-key.events";
import { ACTIVE_KEYS_QUOTA } from "./api-keys.quotas";
import { apiKeyRoutes } from "./api-keys.routes";
import { createKeyAuthentication, type KeyAuthentication, type KeyAuthenticationOptions } from "./authenticate-api-key";

interface Gives {
  /** Finds the actors of platform keys. */
  keys: Pick<KeyAuthentication, "authenticate">;
}

/** Keys of the platform API. */
export const apiKeysPart: Part<KeyAuthenticationOptions, Gives, typeof apiKeyRoutes> = {
  name: "API keys",
  routes: [apiKeyRoutes],
  eventKinds: apiKeyEventKinds,
  quotas: [ACTIVE_KEYS_QUOTA],
  start: async ({ db, clock, counters }) => {
    const keys = await createKeyAuthentication({ db, clock, counters });
    return { gives: { keys }, stop: () => keys.close() };
  },
};
