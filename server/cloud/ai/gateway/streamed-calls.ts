import { numberOf } from "../../../kernel/relayed-json";

/** Calls of tools in one choice. */
const CALLS_MAX = 128;
const ID_CHARS_MAX = 200;
/** How often arguments are parsed to see whether they are whole; more parts with a name and without an id are not clear. */
const PARSES_MAX = 1000;

/** An element of `delta.tool_calls` as an upstream sent it. */
export interface CallPart {
  index?: unknown;
  id?: unknown;
  type?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
  /** Of a tool whose input is text instead of JSON. */
  custom?: { name?: unknown; input?: unknown } | null;
}

/** A call of a tool, as far as its parts have come. */
export interface StreamedCall {
  /** Undefined for an upstream that sends none. */
  readonly index: number | undefined;
  id: string;
  type: "function" | "custom";
  name: string;
  /** Of a custom tool: its input. */
  text: string;
}

/**
 * Tells which call each part of a stream belongs to, and joins the parts. OpenAI sends an index with each part and the
 * id and the name with the first one. Others send one index or none for all calls, repeat the id or the name in each
 * part, or send none: another id begins another call, and so does another name behind arguments that have begun.
 */
export class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  #isClear = true;
  #parses = 0;

  /** Adds a part and returns its call; undefined if there are too many. `keep` may shorten what is kept of a text. */
  add(part: CallPart, keep: (text: string) => string = (text) => text): StreamedCall | undefined {
    const { type, id, name, text } = readPart(part);
    const index = indexOf(part);
    if (!this.#isReadable(part)) this.#isClear = false;
    const known = this.#find({ index, id, name });
    if (!known && this.#calls.length >= CALLS_MAX) {
      this.#isClear = false;
      return undefined;
    }
    const call = known ?? { index, id: "", type, name: "", text: "" };
    if (!known) this.#calls.push(call);
    if (id !== "") call.id = id;
    if (type === "custom") call.type = type;
    this.#name(call, name, keep);
    call.text += keep(text);
    return call;
  }

  /** In the order of their indexes, or, where these say nothing, in the order in which they began. */
  get all(): readonly StreamedCall[] {
    const indexes = this.#calls.map(({ index }) => index);
    const areDistinct = indexes.every((index, at) => index !== undefined && indexes.indexOf(index) === at);
    return areDistinct ? this.#calls.toSorted((a, b) => Number(a.index) - Number(b.index)) : this.#calls;
  }

  /** Whether every part had a meaning, and every call has a name and whole arguments. */
  get isClear(): boolean {
    const ids = this.#calls.map(({ id }) => id).filter((id) => id !== "");
    return (
      this.#isClear &&
      new Set(ids).size === ids.length &&
      this.#calls.every(({ name, text, type }) => name !== "" && (type === "custom" || text === "" || isJson(text)))
    );
  }

  #find({ index, id, name }: { index: number | undefined; id: string; name: string }): StreamedCall | undefined {
    if (id !== "") {
      const same = this.#calls.findLast((call) => call.id === id && (index ?? call.index) === call.index);
      if (same) return same;
      // The id may come behind the first part of its call.
      const unnamed = this.#calls.findLast((call) => call.index === index);
      return unnamed?.id === "" && name === "" ? unnamed : undefined;
    }
    const last = index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    return last && name !== "" && this.#isOver(last, name) ? undefined : last;
  }

  /** Whether a part with this name, and without an id, begins another call. */
  #isOver(call: StreamedCall, name: string): boolean {
    if (call.text === "" || name !== call.name) return call.text !== "";
    if (++this.#parses <= PARSES_MAX) return isJson(call.text);
    this.#isClear = false;
    return false;
  }

  #name(call: StreamedCall, name: string, keep: (text: string) => string): void {
    if (name === "" || name === call.name) return;
    if (call.text !== "") this.#isClear = false;
    else if (name.startsWith(call.name)) call.name += keep(name.slice(call.name.length));
    else call.name += keep(name);
  }

  #isReadable({ index, id, function: called, custom }: CallPart): boolean {
    const texts = [id, called?.name, called?.arguments, custom?.name, custom?.input];
    return (
      (index === undefined || index === null || indexOf({ index }) !== undefined) &&
      texts.every((text) => text === undefined || text === null || typeof text === "string")
    );
  }
}

const indexOf = ({ index }: Pick<CallPart, "index">): number | undefined =>
  isIndex(numberOf(index)) ? numberOf(index) : undefined;

/** Whether it numbers a choice, or a call within one. */
export const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readPart({ id, type, function: called, custom }: CallPart) {
  const isCustom = type === "custom" || (custom !== undefined && custom !== null);
  const { name, text } = isCustom
    ? { name: custom?.name, text: custom?.input }
    : { name: called?.name, text: called?.arguments };
  return {
    type: isCustom ? ("custom" as const) : ("function" as const),
    id: typeof id === "string" ? id.slice(0, ID_CHARS_MAX) : "",
    name: textOf(name),
    text: textOf(text),
  };
}

/** What is no text is counted as its JSON. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
