import { Reply } from "../../../operation/reply";
import type { PromptOffer } from "../ledger/prompt-offers";
import { mentions } from "./mentions";

const DONE = "data: [DONE]";
/** Of an answer that is searched for mentions. */
const TEXT_CHARACTERS_MAX = 1024 * 1024;

interface Delta {
  choices?: { delta?: { content?: unknown }; message?: { content?: unknown } }[];
}

/** The reply with `svc_offers`: in the JSON object, or of a stream as a last event before `[DONE]`. */
export function replyWithOffers({ body, headers }: Reply, offers: readonly PromptOffer[]): Reply {
  if (typeof body === "string") {
    const completion = JSON.parse(body) as Delta;
    return new Reply(JSON.stringify({ ...completion, svc_offers: shown(offers, textOf(completion)) }), headers);
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
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let [rest, text] = ["", ""];
  const send = (event: string): string => {
    if (!event.startsWith(DONE)) {
      text = (text + eventText(event)).slice(-TEXT_CHARACTERS_MAX);
      return `${event}\n\n`;
    }
    const last = { object: "svc.offers", choices: [], svc_offers: shown(offers, text) };
    return `data: ${JSON.stringify(last)}\n\n${event}\n\n`;
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      if (events.length > 0) controller.enqueue(encoder.encode(events.map(send).join("")));
    },
    flush: (controller) => {
      if (rest !== "") controller.enqueue(encoder.encode(rest));
    },
  });
}

function eventText(event: string): string {
  if (!event.startsWith("data: ")) return "";
  try {
    return textOf(JSON.parse(event.slice("data: ".length)) as Delta);
  } catch {
    return "";
  }
}
