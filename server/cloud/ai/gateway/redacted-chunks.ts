import { numberOf, relayedText } from "../../../kernel/relayed-json";
import { REPLACEMENT, type RedactedStream, type Redactor } from "../../data/secrets/redactor";
import { type Chunk, chunkOf } from "./completion-parts";
import { redactedJson } from "./redacted-json";
import { type CallPart, type StreamedCall, StreamedCalls } from "./streamed-calls";
import { UpstreamFailure } from "./upstream-failure";

/** What clients join over the chunks of a stream; the arguments of tool calls are joined too. */
const TEXTS = ["content", "refusal", "reasoning_content", "reasoning"] as const;
/** Texts of one stream: 128 choices, and as many calls of tools. */
const TEXTS_MAX = 256;
/** Of the arguments by which calls are told apart. */
const KEPT_CHARS_MAX = 1024 * 1024;
/** So few characters of a key tell nothing: many texts have them by chance. */
const TELLING_CHARS = 4;

/** Of a call of a tool, and of the call that requests with `functions` have instead. */
type Called = { arguments?: unknown; input?: unknown };

type CallFields = CallPart & { function?: Called | null; custom?: Called | null };

type Delta = Record<string, unknown> & { tool_calls?: unknown; function_call?: Called | null };

interface ChoicePart {
  index?: unknown;
  delta?: Delta | null;
  finish_reason?: unknown;
  logprobs?: unknown;
}

/** A text that a client joins. */
interface JoinedText {
  choice: number;
  /** One of `TEXTS`, "function_call", or a call of a tool. */
  of: string | StreamedCall;
  stream: RedactedStream;
}

/**
 * Replaces a key in the chunks of a stream: in each, and where it is divided between several. What may be the beginning
 * of it is held back until the next chunk, or to the end of the choice.
 */
export class RedactedChunks {
  readonly #redactor: Redactor;
  readonly #texts = new Map<number, JoinedText[]>();
  /** The calls of tools of each choice. */
  readonly #calls = new Map<number, StreamedCalls>();
  #keptChars = 0;
  #head: Pick<Chunk, "id" | "created" | "model"> = {};

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** The data of an event, as it came if nothing is replaced or held back, and its chunk. */
  take(data: string): { data: string; chunk: Chunk | undefined } {
    let read: ReturnType<typeof redactedJson>;
    try {
      read = redactedJson(data, this.#redactor);
    } catch {
      return { data: this.#redactor.redact(data), chunk: undefined };
    }
    const chunk = chunkOf(read.value);
    if (!chunk || !Array.isArray(chunk.choices)) return { data: read.text, chunk };
    this.#head = { id: chunk.id, created: chunk.created, model: chunk.model };
    // Every one, so not `some`.
    const changes = chunk.choices.map((part) => this.#take((part ?? {}) as ChoicePart));
    return { data: changes.includes(true) ? relayedText(chunk) : read.text, chunk };
  }

  /** A chunk with what is still held back, if there is something. */
  end(): Chunk | undefined {
    const choices = [...this.#texts.values()].flat().flatMap(({ choice, of, stream }) => {
      const rest = stream.end();
      return rest === "" ? [] : [{ index: choice, delta: added({}, of, rest), finish_reason: null }];
    });
    this.#texts.clear();
    return choices.length === 0 ? undefined : { ...this.#head, object: "chat.completion.chunk", choices };
  }

  /** Changes the part in place; returns whether it did. */
  #take(part: ChoicePart): boolean {
    const choice = numberOf(part.index) ?? 0;
    const delta = part.delta ?? undefined;
    let [isChanged, tells] = [false, false];
    const pass = (of: JoinedText["of"], text: unknown): unknown => {
      if (typeof text !== "string") return text;
      const { stream } = this.#text(choice, of);
      const before = stream.held;
      const passed = stream.push(text);
      isChanged ||= passed !== text;
      tells ||= Math.max(before, stream.held) >= TELLING_CHARS || passed.includes(REPLACEMENT);
      return passed;
    };
    for (const name of TEXTS) if (typeof delta?.[name] === "string") delta[name] = pass(name, delta[name]);
    if (delta?.function_call) delta.function_call.arguments = pass("function_call", delta.function_call.arguments);
    if (delta && Array.isArray(delta.tool_calls)) {
      const calls = (delta.tool_calls as (CallFields | null)[]).flatMap((call) => {
        if (typeof call !== "object" || call === null) return [call];
        const of = this.#call(choice, call);
        // A client that joins texts by their index would take what is held back for a part of this call.
        const held = this.#endOther(choice, of);
        if (call.function) call.function.arguments = pass(of, call.function.arguments);
        if (call.custom) call.custom.input = pass(of, call.custom.input);
        return [...held, call];
      });
      isChanged ||= calls.length !== delta.tool_calls.length;
      delta.tool_calls = calls;
    }
    if (isChanged && tells && part.logprobs) part.logprobs = null;
    return (typeof part.finish_reason === "string" && this.#end(choice, part)) || isChanged;
  }

  /** What is held back of other calls with the index of this one. */
  #endOther(choice: number, of: StreamedCall): CallFields[] {
    const others = (this.#texts.get(choice) ?? []).filter(
      (text) => typeof text.of === "object" && text.of !== of && text.of.index === of.index,
    );
    return others.flatMap((text) => {
      const rest = text.stream.end();
      return rest === "" ? [] : [restOf(text.of as StreamedCall, rest)];
    });
  }

  /** Adds what is held back of a choice to its last part. */
  #end(choice: number, part: ChoicePart): boolean {
    let isChanged = false;
    for (const text of this.#texts.get(choice) ?? []) {
      const rest = text.stream.end();
      if (rest === "") continue;
      part.delta = added(part.delta ?? {}, text.of, rest);
      isChanged = true;
    }
    this.#texts.delete(choice);
    return isChanged;
  }

  #call(choice: number, part: CallFields): StreamedCall {
    const calls = this.#calls.get(choice) ?? new StreamedCalls();
    if (this.#calls.size >= TEXTS_MAX) throw tooMany();
    this.#calls.set(choice, calls);
    const call = calls.add(part, (text) => {
      this.#keptChars += text.length;
      return this.#keptChars <= KEPT_CHARS_MAX ? text : "";
    });
    if (!call) throw tooMany();
    return call;
  }

  #text(choice: number, of: JoinedText["of"]): JoinedText {
    const texts = this.#texts.get(choice) ?? [];
    const known = texts.find((text) => text.of === of);
    if (known) return known;
    if ([...this.#texts.values()].reduce((sum, { length }) => sum + length, 0) >= TEXTS_MAX) throw tooMany();
    const text = { choice, of, stream: this.#redactor.stream() };
    this.#texts.set(choice, [...texts, text]);
    return text;
  }
}

const tooMany = () => new UpstreamFailure(`an answer with more than ${TEXTS_MAX} texts`);

/** The delta with more text. */
function added(delta: Delta, of: JoinedText["of"], rest: string): Delta {
  if (of === "function_call") {
    const { function_call: called } = delta;
    return { ...delta, function_call: { ...called, arguments: `${called?.arguments ?? ""}${rest}` } };
  }
  if (typeof of === "string") return { ...delta, [of]: `${delta[of] ?? ""}${rest}` };
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  return { ...delta, tool_calls: [...calls, restOf(of, rest)] };
}

const restOf = ({ index, id, type }: StreamedCall, rest: string): CallFields => ({
  ...(index !== undefined && { index }),
  ...(index === undefined && id !== "" && { id }),
  ...(type === "custom" ? { custom: { input: rest } } : { function: { arguments: rest } }),
});
