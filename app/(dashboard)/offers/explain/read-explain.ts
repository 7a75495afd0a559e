import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "../../../../server/surfaces/trpc/router";
import { choiceIn, textIn } from "../../../components/form/read-fields";
import { FieldError } from "../../../trpc/failure";
import type { Mode } from "../../components/shell/mode";
import { DEVICES } from "../components/devices";

export type ExplainInput = inferRouterInputs<AppRouter>["explainOffers"] & { limit: number };

export const LIMIT_MAX = 8;
/** The choice that means any other publisher's channel. */
export const OTHER_CHANNELS = "network";

/** The request that the form describes; `mode` applies where no channel is chosen. Throws a FieldError for what cannot be sent at all. */
export function readExplain(fields: FormData, mode: Mode): ExplainInput {
  const query = textIn(fields, "query");
  const context = textIn(fields, "context");
  if (query === "" && context === "") {
    throw new FieldError("query", "Enter what a visitor would search for, or describe the page in the context.");
  }
  const channel = textIn(fields, "channel_id");
  return {
    ...(channel === OTHER_CHANNELS ? { mode } : { channel_id: channel }),
    query,
    context,
    geo: textIn(fields, "geo"),
    device: choiceIn(fields, "device", DEVICES),
    user_id: textIn(fields, "user_id"),
    limit: limitIn(fields),
    ...(fields.has("gpc") ? { gpc: true } : {}),
    ...given(fields, "locale"),
    ...given(fields, "placement"),
  };
}

/** An empty field takes the API's own default. */
function given<const T extends string>(fields: FormData, name: T): { [K in T]?: string } {
  const text = textIn(fields, name);
  return text === "" ? {} : ({ [name]: text } as { [K in T]?: string });
}

function limitIn(fields: FormData): number {
  const text = textIn(fields, "limit");
  const limit = Number(text);
  if (text === "" || !Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new FieldError("limit", `Enter a whole number from 1 to ${LIMIT_MAX}.`);
  }
  return limit;
}

const LINKED = ["channel_id", "query", "context", "geo", "locale", "device", "placement", "limit", "gpc"] as const;
/** Text longer than this would make a URL too long to share. */
const LINKED_CHARACTERS_MAX = 1000;

/** A request as its form and its link have it: every field is a text, empty where nothing was chosen. */
export type UrlRequest = Record<(typeof LINKED)[number], string>;

/** The request that an address names. */
export const requestFromUrl = (params: Pick<URLSearchParams, "get">): UrlRequest =>
  Object.fromEntries(LINKED.map((name) => [name, params.get(name) ?? ""])) as UrlRequest;

/** What an address keeps of a request. A visitor's id stays out of it: addresses end up in logs and chats. */
export function toUrlParams(input: ExplainInput): UrlRequest {
  const textOf = (value: unknown) => (value === undefined || value === false ? "" : String(value));
  const linked = { ...input, channel_id: input.channel_id ?? OTHER_CHANNELS };
  const texts = LINKED.map((name) => [name, textOf(linked[name])] as const);
  return Object.fromEntries(
    texts.map(([name, text]) => [name, text.length > LINKED_CHARACTERS_MAX ? "" : text]),
  ) as UrlRequest;
}
