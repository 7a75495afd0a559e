import { COUNTABLE } from "../../../identity/quotas/quota";
import type { CountedQuota } from "../../../operation/quota";

export const CHAT_UPSTREAM_QUOTAS = {
  chat_upstreams: {
    resource: "chat_upstreams",
    unit: "chat upstreams",
    description: "Upstreams for chat models, of all projects and both modes",
    defaultLimit: 100,
    liftable: COUNTABLE,
    used: (tx, { tenantId }) => tx.chatUpstream.count({ where: { tenantId } }),
    remedy: "delete one",
  },
} as const satisfies Record<string, CountedQuota>;
