import type { Logger } from "pino";
import { ServiceError } from "../../../kernel/errors";
import type { AdmittedCall, FinalResponse, PromptStage, ReplyStage, ResponseStage } from "../gateway/chat-stages";
import { SvcOffers } from "../ledger/prompt-fields";
import type { OffersChannel, PromptOffer, PromptOffers } from "../ledger/prompt-offers";
import { queryOf, withBlock } from "./add-offers";
import { mentions } from "./mentions";
import { replyWithOffers } from "./reply-with-offers";

interface OfferParts {
  promptOffers: PromptOffers;
  log: Pick<Logger, "warn">;
}

interface Served {
  channel: OffersChannel;
  offers: readonly PromptOffer[];
  /** The request itself asked for offers, so that its response names them. */
  isAsked: boolean;
}

/**
 * Offers in prompts: opt-in by `svc_offers` of the request or by the project's settings. Offers that match the user's
 * last message are added to the system prompt; those that the answer mentions are reported as seen, once, unless the
 * client left before the end of it. A failure of
 * the offers product never fails a request.
 */
export function createOfferStages({ promptOffers, log }: OfferParts): {
  prompt: PromptStage;
  answer: ResponseStage;
  reply: ReplyStage;
} {
  const servedTo = new WeakMap<AdmittedCall, Served>();
  const prepare = async (call: AdmittedCall) => {
    const { ask, isAsked, channel } = takeAsk(call);
    if (!ask || !channel) return undefined;
    if (!promptOffers.hasChannel(channel)) {
      if (isAsked) throw noSuchChannel(channel.channelId);
      return undefined;
    }
    call.hasOwnPrompt = true;
    const { limit, user_id: userId } = ask;
    const served = await promptOffers
      .serve({ ...channel, query: queryOf(call.body.messages), limit, userId })
      .catch((err: unknown) => {
        if (err instanceof ServiceError && err.code === "invalid_request") throw err;
        log.warn({ err }, "cannot serve offers for a prompt");
        return { offers: [], block: "" };
      });
    servedTo.set(call, { channel, isAsked, offers: served.offers });
    if (served.block !== "") call.body = withBlock(call.body, served.block);
    return undefined;
  };
  const see = async (call: AdmittedCall, { completion, isDelivered }: FinalResponse) => {
    const served = servedTo.get(call);
    if (!served || !isDelivered) return;
    const texts = completion.choices.map(({ message }) => (typeof message.content === "string" ? message.content : ""));
    const seen = served.offers.filter((offer) => texts.some((text) => mentions(text, offer)));
    if (seen.length > 0)
      await promptOffers.reportImpressions(
        served.channel,
        seen.map(({ id }) => id),
      );
  };
  return {
    prompt: { name: "offers", prepare },
    answer: { name: "offers", see },
    reply: {
      name: "offers",
      change: (call, reply) => {
        const served = servedTo.get(call);
        return served?.isAsked ? replyWithOffers(reply, served.offers) : reply;
      },
    },
  };
}

/** What the request or else the project's settings ask for; removes `svc_offers` from the body. */
function takeAsk(call: AdmittedCall) {
  const { svc_offers: asked, ...body } = call.body;
  if (asked !== undefined) call.body = body as AdmittedCall["body"];
  const { offers: byDefault } = call.entry.settings;
  const fallback =
    asked === null || !byDefault ? undefined : { channel_id: byDefault.channelId, limit: byDefault.limit };
  const isAsked = asked !== undefined && asked !== null;
  const given = isAsked ? asked : fallback;
  const ask = given && SvcOffers.parse(given);
  const { tenantId, mode } = call.payer;
  return { ask, isAsked, channel: ask && { tenantId, mode, channelId: ask.channel_id } };
}

const noSuchChannel = (id: string): ServiceError =>
  new ServiceError("not_found", `No channel of this mode has the id "${id.slice(0, 80)}".`, {
    param: "svc_offers.channel_id",
  });
