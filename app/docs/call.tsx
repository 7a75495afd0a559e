import { randomUUID } from "node:crypto";
import { Snippet } from "./snippet";
import type { KeyKind, SnippetRequest } from "./snippet-request";

interface CallProps extends Pick<SnippetRequest, "body"> {
  title: string;
  /** Method and path; `<name>` in it or in the body is a placeholder for an ID of an earlier response. */
  call: `${SnippetRequest["method"]} /${string}`;
  /** Default: the platform key. */
  auth?: KeyKind;
  /** Sends an idempotency key, so that the call can be repeated. */
  isIdempotent?: boolean;
  /** Saves a field of the response for later calls: `["id", "channel_id"]`. */
  saveAs?: readonly [field: string, as: string];
}

/** An API call to copy as code in several languages, or to run on the page with the reader's own key. */
export function Call({ title, call, auth = "platform", body, isIdempotent = false, saveAs }: CallProps) {
  const at = call.indexOf(" ");
  const request: SnippetRequest = {
    method: call.slice(0, at) as SnippetRequest["method"],
    path: call.slice(at + 1),
    key: auth,
  };
  if (body) request.body = body;
  if (isIdempotent) request.idempotencyKey = randomUUID();
  return <Snippet title={title} request={request} {...(saveAs && { saveAs })} />;
}
