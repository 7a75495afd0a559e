import { offersPrompt } from "../../../sdk/offers-prompt";
import { plainText } from "../../../sdk/plain-text";
import { ServiceError } from "../../kernel/errors";
import type { Mode } from "../../operation/actor";
import { reportImpressions } from "../impressions/report-impressions";
import type { Visitor } from "../visitor";
import type { ServingParts } from "./offers-call-ctx";
import { OffersRequest } from "./offers-request";
import { serveOffers } from "./serve-offers";

const PLACEMENT = "chat_gateway";
/** As `offersPrompt` shows it. */
const TITLE_MAX = 150;

interface ChannelOfTenant {
  tenantId: string;
  mode: Mode;
  channelId: string;
}

interface PromptAsk extends ChannelOfTenant {
  query: string;
  limit: number;
  /** A keyed hash, as in the offers API: frequency caps count by it. */
  userId?: string | undefined;
}

/** svc serves these offers itself, so no address or browser says anything about the visitor. */
const NO_VISITOR: Visitor = {
  requestId: "",
  userAgent: "svc-gateway",
  addressHash: "",
  networkHash: "",
  dataCenter: false,
  exempt: false,
  gpc: false,
  prefetch: false,
  head: false,
};

/**
 * Offers for prompts of the chat gateway: the pipeline of the offers API, with its records, frequency caps and rules of
 * test and live mode. Impressions are reported as by the server of the channel's publisher.
 */
export const createPromptOffers = (serving: ServingParts) => {
  const channelOf = ({ tenantId, mode, channelId }: ChannelOfTenant) => {
    const channel = serving.catalog.channelById(channelId);
    return channel?.tenantId === tenantId && channel.mode === mode ? channel : undefined;
  };
  const ctx = { ...serving, visitor: NO_VISITOR };
  return {
    hasChannel: (of: ChannelOfTenant): boolean => channelOf(of) !== undefined,
    /** The offers, with titles as the model sees them, and a block of text for it (`offersPrompt`). No match: none. */
    serve: async ({ query, limit, userId, ...of }: PromptAsk) => {
      const channel = channelOf(of);
      if (!channel) return { offers: [], block: "" };
      const { offers } = await serveOffers.run({ ...ctx, channel }, requestOf({ query, limit, userId }));
      return {
        offers: offers.map(({ id, title, clickUrl }) => ({ id, title: plainText(title, TITLE_MAX), clickUrl })),
        block: offersPrompt(offers),
      };
    },
    reportImpressions: async ({ channelId }: ChannelOfTenant, ids: readonly string[]): Promise<void> => {
      const reporter = { reportedBy: "server" as const, channelId };
      await reportImpressions.run({ ...ctx, reporter }, { ids: [...ids] });
    },
  };
};

function requestOf({ query, limit, userId }: Pick<PromptAsk, "query" | "limit" | "userId">): OffersRequest {
  const asked = { query, limit, placement: PLACEMENT, ...(userId !== undefined && { user_id: userId }) };
  const { data, error } = OffersRequest.safeParse(asked);
  if (data) return data;
  const message = `svc_offers.user_id: ${error.issues[0]?.message ?? "expected a keyed hash"}`;
  throw new ServiceError("invalid_request", message, { param: "svc_offers.user_id" });
}
