import { mediaTypeOf } from "../../../kernel/media-type";
import { hasRelayedBytes } from "../../../kernel/relayed-bytes";
import { relayedText } from "../../../kernel/relayed-json";
import { Reply } from "../../../operation/reply";
import { askUpstreams } from "./ask-upstreams";
import type { Completion } from "./chat-stages";
import { ANSWER_BYTES_MAX, type AskedUpstream, bodyText, completionOf, shownJson } from "./complete-upstream";
import { eventsOfWhole } from "./completion-chunks";
import { writtenIn } from "./completion-parts";
import { beginsEvents, DONE_EVENT } from "./event-splitter";
import { countedUsage, finishChat } from "./finish-chat";
import type { GatewayParts } from "./gateway-parts";
import { requestOf, shownFrom } from "./operator-account";
import { type Posted, postUpstream } from "./post-upstream";
import { type StreamEnd, StreamRelay } from "./relay-stream";
import { reportedUsage, toUsage } from "./reported-usage";
import { storedStream } from "./respond-from-store";
import type { Candidate } from "./upstream";
import { malformed } from "./upstream-failure";

/** An answer whose first bytes have arrived. */
interface Begun extends Posted {
  candidate: Candidate;
  first: Buffer;
  /** Of a model that does not stream, although it was asked to. */
  completion: Completion | undefined;
}

/**
 * Asks the upstreams for a stream and passes it on. Another upstream is asked only until the first bytes have come;
 * later failures end the stream with an error.
 */
export async function streamUpstream(parts: GatewayParts, asked: AskedUpstream): Promise<Reply> {
  const { run, signal, candidates } = asked;
  const begun = await askUpstreams({
    circuits: parts.circuits,
    form: "stream",
    candidates,
    signal,
    onTry: (candidate) => run.tried(candidate),
    ask: (candidate) => begin(parts, candidate, asked),
  });
  run.began();
  try {
    await run.answering();
  } catch (failure) {
    begun.reader.close();
    throw failure;
  }
  const body = begun.completion ? await wholeBody(parts, asked, begun.completion) : relayOf(parts, asked, begun).body();
  if (signal.aborted) {
    // Nobody receives the reply; the relay reads the rest and bills it.
    await body.cancel();
    return new Reply("");
  }
  return new Reply(body, { "x-svc-upstream": begun.candidate.upstream.id });
}

function relayOf(parts: GatewayParts, asked: AskedUpstream, begun: Begun): StreamRelay {
  const { call, run } = asked;
  const { reader, first, redactor, candidate } = begun;
  return new StreamRelay({
    reader,
    first,
    redactor,
    idleMs: candidate.upstream.idleMs,
    requestId: call.request.requestId,
    shown: (chunk) => shownFrom(candidate.upstream, chunk),
    wantsUsage: wantsUsage(asked),
    count: (written) => countedUsage(asked, written.written),
    onProgress: (usageOf) => run.progress(() => ({ promptTokens: call.promptTokens, isEstimated: true, ...usageOf() })),
    onEnd: (end) => finish(parts, asked, end),
  });
}

/** The client gets the answer as one event, the usage, and `[DONE]`. */
async function wholeBody(parts: GatewayParts, asked: AskedUpstream, completion: Completion) {
  const reported = reportedUsage(completion.usage);
  const usage = reported ?? (await countedUsage(asked, writtenIn(completion)));
  const counted = { ...toUsage(usage), estimated: true };
  const isComplete = !hasRelayedBytes(relayedText(completion));
  return storedStream(
    wholeEvents({ ...completion, usage: reported ? completion.usage : counted }, wantsUsage(asked)),
    (status) => finishChat(parts, asked, { status, usage, completion, isComplete }),
  );
}

function* wholeEvents(completion: Completion, withUsage: boolean): Generator<Buffer> {
  yield* eventsOfWhole(completion, withUsage);
  yield DONE_EVENT;
}

const wantsUsage = ({ call }: AskedUpstream): boolean =>
  ((call.body.stream_options ?? {}) as { include_usage?: unknown }).include_usage === true;

async function begin(parts: GatewayParts, candidate: Candidate, { call, signal }: AskedUpstream): Promise<Begun> {
  const { stream_options: given, ...body } = call.body;
  const options: Record<string, unknown> = { ...(given as object | null | undefined), include_usage: true };
  const sentWith = (refused: ReadonlySet<string>) =>
    refused.has(OPTIONS) && isOptional(options) ? body : { ...body, [OPTIONS]: options };
  const posted = await postUpstream(parts, candidate, {
    path: "/chat/completions",
    body: (refused) =>
      relayedText(requestOf(parts, candidate, { tenantId: call.payer.tenantId, body: sentWith(refused) })),
    optional: isOptional(options) ? { field: OPTIONS, names: [OPTIONS, "include_usage"] } : undefined,
    accept: "text/event-stream",
    signal,
  });
  const { reader, response, redactor } = posted;
  const first = await firstBytes(posted);
  const isStream = mediaTypeOf(response.headers["content-type"]) === "text/event-stream" || beginsEvents(textOf(first));
  if (!OBJECT_BEGIN.test(textOf(first))) {
    if (isStream) return { ...posted, first, candidate, completion: undefined };
    reader.close();
    throw malformed("the response is no stream of events");
  }
  const rest = await reader.all(candidate.upstream.idleMs, ANSWER_BYTES_MAX);
  const { value } = shownJson(bodyText(Buffer.concat([first, rest])), candidate, { redactor });
  return { ...posted, first, candidate, completion: completionOf(value) };
}

const OPTIONS = "stream_options";

/** Whether svc alone wants them, because tokens can be counted too: a client may have sent others. */
const isOptional = (options: object): boolean => Object.keys(options).every((name) => name === "include_usage");

/** Detects the form of a response from its first bytes, regardless of its media type. */
async function firstBytes({ reader, leftMs }: Posted): Promise<Buffer> {
  let first = await reader.next(leftMs);
  while (first && first.length < BEGIN_BYTES && textOf(first).trim() === "") {
    const more = await reader.next(leftMs);
    if (!more) break;
    first = Buffer.concat([first, more]);
  }
  if (!first) throw malformed("the stream is empty");
  return first;
}

const BEGIN_BYTES = 64;
const OBJECT_BEGIN = /^\s*\{/;

/** Trimming takes a byte order mark for a blank, too. */
const textOf = (bytes: Buffer): string => bytes.toString("utf8", 0, BEGIN_BYTES);

async function finish(parts: GatewayParts, asked: AskedUpstream, end: StreamEnd): Promise<void> {
  const { status, parts: written, failure } = end;
  const usage = end.usage ?? (await countedUsage(asked, written.written));
  const completion = written.completion(asked.call.body.model, usage);
  const isComplete = status === "succeeded" && written.isUnderstood;
  await finishChat(parts, asked, { status, usage, completion, isComplete, failure });
}
