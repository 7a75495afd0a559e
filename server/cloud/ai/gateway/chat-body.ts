import { withMarksOfExact, withNumbers } from "../../../kernel/relayed-json";
import type { ChatBody } from "./chat-stages";

interface ChatInput {
  svc_offers?: unknown;
  svc_cache?: unknown;
  [field: string]: unknown;
}

/** The body of a request: its numbers as the client wrote them, but in the fields that svc itself reads. */
export function chatBodyOf({ mode: _mode, project: _project, ...body }: ChatInput): ChatBody {
  for (const name of OWN_FIELDS) if (body[name] !== undefined) body[name] = withNumbers(body[name]);
  return withMarksOfExact(body) as ChatBody;
}

const OWN_FIELDS = ["svc_offers", "svc_cache"] as const;
