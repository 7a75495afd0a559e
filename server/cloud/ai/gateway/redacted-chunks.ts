import { REPLACEMENT, type RedactedStream, type Redactor } from "../../data/secrets/redactor";
import { type Chunk, chunkOf } from "./completion-parts";
import { redactedJson } from "./redacted-json";
import { UpstreamFailure } from "./upstream-failure";

/** What clients join over the chunks of a stream; the arguments of tool calls are joined too. */
const TEXTS = ["content", "refusal", "reasoning_content", "reasoning"] as const;
/** Texts of one stream: 128 choices, and as many calls of tools. */
const TEXTS_MAX = 256;
/** So few characters of a key tell nothing: many texts have them by chance. */
const TELLING_CHARS = 4;

interface CallPart {
  index?: unknown;
  function?: { arguments?: unknown } | null;
}

type Delta = Record<string, unknown> & { tool_calls?: unknown };

interface ChoicePart {
  index?: unknown;
  delta?: Delta | null;
  finish_reason?: unknown;
  logprobs?: unknown;
}

/** A text that a client joins. */
interface JoinedText {
  choice: number;
  /** One of `TEXTS`, or the number of a tool call. */
  of: string | number;
  stream: RedactedStream;
}

/**
 * Replaces a key in the chunks of a stream: in each, and where it is divided between several. What may be the beginning
 * of it is held back until the next chunk, or to the end of the choice.
 */
export class RedactedChunks {
  readonly #redactor: Redactor;
  readonly #texts = new Map<string, JoinedText>();
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
    return { data: changes.includes(true) ? JSON.stringify(chunk) : read.text, chunk };
  }

  /** A chunk with what is still held back, if there is something. */
  end(): Chunk | undefined {
    const choices = [...this.#texts.values()].flatMap(({ choice, of, stream }) => {
      const rest = stream.end();
      return rest === "" ? [] : [{ index: choice, delta: added({}, of, rest), finish_reason: null }];
    });
    this.#texts.clear();
    return choices.length === 0 ? undefined : { ...this.#head, object: "chat.completion.chunk", choices };
  }

  /** Changes the part in place; returns whether it did. */
  #take(part: ChoicePart): boolean {
    const choice = typeof part.index === "number" ? part.index : 0;
    const delta = part.delta ?? undefined;
    let [isChanged, tells] = [false, false];
    const pass = (of: JoinedText["of"], text: string): string => {
      const { stream } = this.#text(choice, of);
      const before = stream.held;
      const passed = stream.push(text);
      isChanged ||= passed !== text;
      tells ||= Math.max(before, stream.held) >= TELLING_CHARS || passed.includes(REPLACEMENT);
      return passed;
    };
    for (const name of TEXTS) {
      const text = delta?.[name];
      if (delta && typeof text === "string") delta[name] = pass(name, text);
    }
    for (const call of Array.isArray(delta?.tool_calls) ? (delta.tool_calls as (CallPart | null)[]) : []) {
      const text = call?.function?.arguments;
      if (call?.function && typeof text === "string") call.function.arguments = pass(callNumber(call), text);
    }
    if (isChanged && tells && part.logprobs) part.logprobs = null;
    return (typeof part.finish_reason === "string" && this.#end(choice, part)) || isChanged;
  }

  /** Adds what is held back of a choice to its last part. */
  #end(choice: number, part: ChoicePart): boolean {
    let isChanged = false;
    for (const [name, text] of this.#texts) {
      if (text.choice !== choice) continue;
      this.#texts.delete(name);
      const rest = text.stream.end();
      if (rest === "") continue;
      part.delta = added(part.delta ?? {}, text.of, rest);
      isChanged = true;
    }
    return isChanged;
  }

  #text(choice: number, of: JoinedText["of"]): JoinedText {
    const name = `${choice} ${of}`;
    const known = this.#texts.get(name);
    if (known) return known;
    if (this.#texts.size >= TEXTS_MAX) throw new UpstreamFailure(`an answer with more than ${TEXTS_MAX} texts`);
    const text = { choice, of, stream: this.#redactor.stream() };
    this.#texts.set(name, text);
    return text;
  }
}

const callNumber = ({ index }: CallPart): number => (typeof index === "number" ? index : 0);

/** The delta with more text. */
function added(delta: Delta, of: JoinedText["of"], rest: string): Delta {
  if (typeof of === "string") return { ...delta, [of]: `${delta[of] ?? ""}${rest}` };
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  return { ...delta, tool_calls: [...calls, { index: of, function: { arguments: rest } }] };
}
