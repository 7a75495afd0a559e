import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Part } from "../../identity/part";
import type { Clock } from "../../kernel/clock";
import { createLastUsed } from "../../kernel/last-used";
import { CHANNELS_QUOTA } from "./channels.quotas";
import { channelRoutes } from "./channels.routes";
import { channelTools } from "./channels.tools";

interface Needs {
  db: PrismaClient;
  clock: Clock;
}

interface Gives {
  /** Records that a channel key was used. */
  recordKeyUse: (keyId: string) => void;
}

/** Publishers' channels; when their keys were last used. */
export const channelsPart: Part<Needs, Gives, typeof channelRoutes> = {
  name: "last use of channel keys",
  routes: [channelRoutes],
  tools: channelTools,
  quotas: [CHANNELS_QUOTA],
  start: ({ db, clock }) => {
    const lastUsed = createLastUsed({ clock, table: db.channelKey });
    return { gives: { recordKeyUse: lastUsed.note }, stop: () => lastUsed.idle() };
  },
};
