import { type ChatClient, type ChatMessage, type ChatUsage, createChatClient } from "../../chat-client";
import { parseAsWritten, stringifyJson } from "../../exact-json";
import { withUsageErrors } from "../connect";
import { resolveConnection } from "../credentials";
import { EXIT, NotLoggedIn, report, UsageError } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { strictText } from "../strict-text";
import { printableText } from "../terminal-text";

const INTERRUPTED = 130;

interface ChatFlags {
  model?: string;
  system?: string;
  json?: boolean;
  quiet?: boolean;
  "max-tokens"?: number;
  temperature?: number;
  "base-url"?: string;
}

interface Talk {
  client: ChatClient;
  model: string;
  flags: ChatFlags;
  io: Io;
}

/** `svc chat`: one answer, or a conversation on a terminal. */
export async function chat({ input, flags: given }: Arguments, io: Io): Promise<number> {
  const flags = given as ChatFlags;
  const { prompt } = input as { prompt?: string };
  const client = openClient(flags, io);
  const isConversation = prompt === undefined && io.isInteractive === true;
  const text = isConversation || (prompt !== undefined && prompt !== "-") ? prompt : await readAll(io.input());
  if (text?.trim() === "") throw new UsageError("The prompt is empty.");
  const talk = { client, model: await modelOf(client, flags, io), flags, io };
  const messages: ChatMessage[] = flags.system === undefined ? [] : [{ role: "system", content: flags.system }];
  if (text === undefined) return converse(talk, messages);
  const { isStopped } = await answer(talk, [...messages, { role: "user", content: text }]);
  return isStopped ? INTERRUPTED : EXIT.ok;
}

function openClient(flags: ChatFlags, io: Io): ChatClient {
  const { baseUrl, key } = resolveConnection(io.env, flags["base-url"]);
  if (!key) throw new NotLoggedIn("You are not logged in: run svc login, or set SVC_API_KEY to a platform key.");
  return withUsageErrors(() => createChatClient({ baseUrl, key, fetch: io.fetch, parseJson: parseAsWritten }));
}

/** Without a choice, the only model there is: any other may be more expensive than expected. */
async function modelOf(client: ChatClient, { model }: ChatFlags, { env }: Io): Promise<string> {
  const chosen = model ?? (env.SVC_CHAT_MODEL || undefined);
  if (chosen !== undefined) return chosen;
  const models = (await client.models()).filter(({ kind }) => kind !== "embeddings").map(({ id }) => id);
  const [only, ...others] = models;
  if (only !== undefined && others.length === 0) return only;
  const known = models.slice(0, 20).join(", ");
  throw new UsageError(
    only === undefined
      ? "There is no model that this key can call."
      : `--model is missing: it must be one of ${known}.`,
  );
}

async function readAll(input: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return strictText(Buffer.concat(chunks), "Standard input");
}

/** Until an empty line, or the end of the input. A failed answer is not part of what the model is shown. */
async function converse(talk: Talk, messages: readonly ChatMessage[]): Promise<number> {
  const { io, model } = talk;
  io.stderr.write(`Talking to ${printableText(model)}; an empty line ends it.\n`);
  let history = messages;
  for (;;) {
    const line = (await io.ask("> ")).trim();
    if (line === "") return EXIT.ok;
    const asked: ChatMessage[] = [...history, { role: "user", content: line }];
    try {
      const { text, isLeft } = await answer(talk, asked);
      if (isLeft) return INTERRUPTED;
      history = text === "" ? history : [...asked, { role: "assistant", content: text }];
    } catch (failure) {
      // What is wrong with one message need not be wrong with the next.
      report(failure, io, talk.flags.json === true);
    }
  }
}

interface Answer {
  text: string;
  isStopped: boolean;
  /** Ctrl-C was pressed twice. */
  isLeft: boolean;
}

/** Prints an answer as it arrives. Ctrl-C ends it; what has arrived counts as the answer. */
async function answer({ client, model, flags, io }: Talk, messages: readonly ChatMessage[]): Promise<Answer> {
  const never = new AbortController().signal;
  const { stop, kill, end } = io.interruption?.() ?? { stop: never, kill: never };
  let text = "";
  let usage: ChatUsage | undefined;
  let facts: { model: string; isSimulated: boolean } = { model, isSimulated: false };
  const request = {
    model,
    messages,
    ...(flags["max-tokens"] === undefined ? {} : { max_tokens: flags["max-tokens"] }),
    ...(flags.temperature === undefined ? {} : { temperature: flags.temperature }),
  };
  try {
    for await (const chunk of client.stream(request, { signal: stop })) {
      const { content, refusal } = chunk.choices[0]?.delta ?? {};
      const piece = content ?? (typeof refusal === "string" ? refusal : "");
      text += piece;
      if (flags.json) io.stdout.write(`${stringifyJson(chunk)}\n`);
      else if (piece !== "") io.stdout.write(printableText(piece));
      usage = chunk.usage ?? usage;
      facts = { model: chunk.model ?? model, isSimulated: chunk.simulated === true || facts.isSimulated };
    }
  } catch (failure) {
    if (!stop.aborted) throw failure;
  } finally {
    end?.();
    if (!flags.json && text !== "" && !text.endsWith("\n")) io.stdout.write("\n");
  }
  if (stop.aborted) io.stderr.write("(stopped)\n");
  else if (!flags.quiet) io.stderr.write(usageLine(usage, facts));
  return { text, isStopped: stop.aborted, isLeft: kill.aborted };
}

function usageLine(
  usage: ChatUsage | undefined,
  { model, isSimulated }: { model: string; isSimulated: boolean },
): string {
  const name = `${printableText(model)}${isSimulated ? " (simulated)" : ""}`;
  if (!usage) return `${name}: no usage was reported.\n`;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  return `${name}: ${prompt} prompt tokens, ${completion} completion tokens.\n`;
}
