import { textOfRelayed } from "../../../kernel/relayed-bytes";
import { relayedJson, relayedText } from "../../../kernel/relayed-json";
import { Reply, relayedReply } from "../../../operation/reply";
import { dataOf, EventSplitter, eventOf } from "../gateway/event-splitter";
import type { PromptOffer } from "../ledger/prompt-offers";
import { mentions } from "./mentions";

const DONE = "[DONE]";
/** Of an answer that is searched for mentions. */
const TEXT_CHARACTERS_MAX = 1024 * 1024;

interface Delta {
  choices?: { delta?: { content?: unknown }; message?: { content?: unknown } }[];
}

/** The reply with `svc_offers`: in the JSON object, or of a stream as a last event before `[DONE]`. */
export function replyWithOffers({ body, headers }: Reply, offers: readonly PromptOffer[]): Reply {
  if (!(body instanceof ReadableStream)) {
    const completion = relayedJson(typeof body === "string" ? body : textOfRelayed(body)) as Delta;
    return relayedReply(relayedText({ ...completion, svc_offers: shown(offers, textOf(completion)) }), headers);
  }
  return new Reply(body.pipeThrough(withLastEvent(offers)), headers);
}

const shown = (offers: readonly PromptOffer[], text: string) =>
  offers.map((offer) => ({ id: offer.id, click_url: offer.clickUrl, mentioned: mentions(text, offer) }));

const textOf = ({ choices = [] }: Delta): string =>
  choices
    .map(({ delta, message }) => delta?.content ?? message?.content)
    .filter((content) => typeof content === "string")
    .join("\n");

function withLastEvent(offers: readonly PromptOffer[]): TransformStream<Uint8Array, Uint8Array> {
  const splitter = new EventSplitter();
  let text = "";
  const send = (event: Buffer): Buffer => {
    const data = dataOf(event);
    if (data === DONE) {
      const last = { object: "svc.offers", choices: [], svc_offers: shown(offers, text) };
      return Buffer.concat([eventOf(last), event]);
    }
    text = (text + textIn(data)).slice(-TEXT_CHARACTERS_MAX);
    return event;
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      const events = splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (events.length > 0) controller.enqueue(Buffer.concat(events.map(send)));
    },
    flush: (controller) => {
      if (splitter.rest.length > 0) controller.enqueue(splitter.rest);
    },
  });
}

function textIn(data: string | undefined): string {
  try {
    return data === undefined ? "" : textOf(JSON.parse(data) as Delta);
  } catch {
    return "";
  }
}
