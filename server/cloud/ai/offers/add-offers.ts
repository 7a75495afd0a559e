import type { ChatBody, ChatMessage } from "../gateway/chat-stages";

const QUERY_CHARACTERS_MAX = 2000;
const SYSTEM_ROLES = new Set(["system", "developer"]);

/** The last message of the user as text: what offers are matched with. */
export function queryOf(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return textOf(last?.content).slice(-QUERY_CHARACTERS_MAX);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: { type?: unknown; text?: unknown }) => (typeof part?.text === "string" ? [part.text] : []))
    .join("\n");
}

/** The body with a block of text at the end of its first system message, or in a new one. */
export function withBlock(body: ChatBody, block: string): ChatBody {
  const [first, ...rest] = body.messages;
  if (first && SYSTEM_ROLES.has(first.role)) {
    if (typeof first.content === "string") {
      return { ...body, messages: [{ ...first, content: `${first.content}\n\n${block}` }, ...rest] };
    }
    if (Array.isArray(first.content)) {
      return { ...body, messages: [{ ...first, content: [...first.content, { type: "text", text: block }] }, ...rest] };
    }
  }
  return { ...body, messages: [{ role: "system", content: block }, ...body.messages] };
}
