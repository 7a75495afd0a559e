import { Reply } from "../../../operation/reply";
import { askUpstreams } from "./ask-upstreams";
import type { AskedUpstream } from "./complete-upstream";
import { countedUsage, finishChat } from "./finish-chat";
import type { GatewayParts } from "./gateway-parts";
import { requestOf, shownFrom } from "./operator-account";
import { type Posted, postUpstream } from "./post-upstream";
import { type StreamEnd, StreamRelay } from "./relay-stream";
import type { Candidate } from "./upstream";
import { UpstreamFailure } from "./upstream-failure";

/** A stream whose first bytes have arrived. */
interface Begun extends Posted {
  first: Buffer;
  candidate: Candidate;
}

/**
 * Asks the upstreams for a stream and passes it on. Another upstream is asked only until the first bytes have come;
 * later failures end the stream with an error.
 */
export async function streamUpstream(parts: GatewayParts, asked: AskedUpstream): Promise<Reply> {
  const { call, run, signal, candidates } = asked;
  const options = (call.body.stream_options ?? {}) as { include_usage?: unknown };
  const begun = await askUpstreams({
    circuits: parts.circuits,
    candidates,
    signal,
    onTry: (candidate) => run.tried(candidate),
    ask: (candidate) => begin(parts, candidate, asked),
  });
  run.began();
  const { reader, first, redactor, candidate } = begun;
  try {
    await run.answering();
  } catch (failure) {
    reader.close();
    throw failure;
  }
  const relay = new StreamRelay({
    reader,
    first,
    redactor,
    idleMs: candidate.upstream.idleMs,
    requestId: call.request.requestId,
    shown: (chunk) => shownFrom(candidate.upstream, chunk),
    wantsUsage: options.include_usage === true,
    count: (written) => countedUsage(asked, written.written),
    onProgress: (usageOf) => run.progress(() => ({ promptTokens: call.promptTokens, isEstimated: true, ...usageOf() })),
    onEnd: (end) => finish(parts, asked, end),
  });
  if (signal.aborted) {
    // Nobody receives the reply; the relay reads the rest and bills it.
    await relay.body().cancel();
    return new Reply("");
  }
  return new Reply(relay.body(), { "x-svc-upstream": candidate.upstream.id });
}

async function begin(parts: GatewayParts, candidate: Candidate, { call, signal }: AskedUpstream): Promise<Begun> {
  const options = { ...(call.body.stream_options as object | null | undefined), include_usage: true };
  const sent = { ...call.body, stream_options: options };
  const body = requestOf(parts, candidate, { tenantId: call.payer.tenantId, body: sent });
  const posted = await postUpstream(parts, candidate, {
    path: "/chat/completions",
    body: JSON.stringify(body),
    accept: "text/event-stream",
    signal,
  });
  const type = posted.response.headers["content-type"] ?? "";
  if (!type.startsWith("text/event-stream")) {
    posted.reader.close();
    throw new UpstreamFailure("the response is no stream of events", { status: 502 });
  }
  const first = await posted.reader.next(posted.leftMs);
  if (!first) throw new UpstreamFailure("the stream is empty", { status: 502 });
  return { ...posted, first, candidate };
}

async function finish(parts: GatewayParts, asked: AskedUpstream, end: StreamEnd): Promise<void> {
  const { status, parts: written, failure } = end;
  const usage = end.usage ?? (await countedUsage(asked, written.written));
  const completion = written.completion(asked.call.body.model, usage);
  const isComplete = status === "succeeded" && !written.isCut;
  await finishChat(parts, asked, { status, usage, completion, isComplete, failure });
}
