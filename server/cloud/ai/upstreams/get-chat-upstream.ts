import { z } from "zod";
import { IdText } from "../../../identity/wire-text";
import { operation } from "../../cloud-operation";
import { ChatUpstream, ownChatUpstream, toChatUpstream } from "./chat-upstream";
import { chatUpstreamExample } from "./chat-upstream.example";
import type { ChatUpstreamCtx } from "./chat-upstream-ctx";

/** Returns an upstream. Throws `not_found`. */
export const getChatUpstream = operation({
  id: "getChatUpstream",
  summary: "Get an upstream for chat models",
  access: "gateway:read",
  input: z.strictObject({ id: IdText }),
  output: ChatUpstream,
  example: { input: { id: chatUpstreamExample.id }, output: chatUpstreamExample },
  run: async (ctx: ChatUpstreamCtx, { id }) => toChatUpstream(await ownChatUpstream(ctx, id)),
});
