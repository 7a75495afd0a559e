import type { Part } from "../../../identity/part";
import { chatUpstreamEventKinds } from "./chat-upstream.events";
import { chatUpstreamRoutes } from "./chat-upstreams.routes";
import { createOwnUpstreams, type OwnUpstreamsParts } from "./own-upstreams";
import { CHAT_UPSTREAM_QUOTAS } from "./upstreams.quotas";

interface Gives {
  /** The upstreams that tenants have registered. */
  ownUpstreams: Pick<ReturnType<typeof createOwnUpstreams>, "of">;
}

export const chatUpstreamsPart: Part<OwnUpstreamsParts, Gives, typeof chatUpstreamRoutes> = {
  name: "chat upstreams",
  routes: [chatUpstreamRoutes],
  eventKinds: chatUpstreamEventKinds,
  quotas: Object.values(CHAT_UPSTREAM_QUOTAS),
  start: ({ db, sql, secretsKey, clock, counters }) => {
    const own = createOwnUpstreams({ db, sql, secretsKey, clock, counters });
    return { gives: { ownUpstreams: own }, stop: () => own.close() };
  },
};
