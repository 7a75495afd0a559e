import type { Page, Pages } from "../operation";
import { createCaller, type SvcError } from "../platform-client";
import type { NamedCommand } from "./command";
import { connectionOf } from "./credentials";
import type { Io } from "./io";
import { type Item, paperOf, printRecord, printTable } from "./print-table";
import { type Arguments, readArguments } from "./read-arguments";
import { EXIT, NotLoggedIn, UsageError } from "./refusals";
import { openFeed } from "./upload";
import { commandUsage } from "./usage";

/** Calls the operation of a command and prints what it answers. */
export async function runCommand(command: NamedCommand, argv: readonly string[], io: Io): Promise<number> {
  const read = readArguments(command, argv);
  if (read.flags.help) {
    io.stdout.write(commandUsage(command));
    return EXIT.ok;
  }
  const call = callerOf(command, read, io);
  const asJson = read.flags.json === true;
  if (!command.call.paged) {
    const feed = command.call.upload ? openFeed(read, io) : undefined;
    const result = await (call({ ...read.input, ...feed?.input }) as Promise<unknown>).finally(() => feed?.close());
    printResult(command, result, { io, asJson });
    return EXIT.ok;
  }
  const list = call(read.input) as Pages<Item>;
  if (read.flags.all) await (asJson ? printAllJson(list, io) : printAll(command, list, io));
  else printPage(command, await list.page(), { io, asJson });
  return EXIT.ok;
}

function callerOf(command: NamedCommand, { flags }: Arguments, io: Io) {
  const { baseUrl, key } = connectionOf(io.env, flags["base-url"] as string | undefined);
  const { credential } = command.call;
  const channelKey = io.env.SVC_CHANNEL_KEY || undefined;
  if (credential === "platform" && !key) {
    throw new NotLoggedIn("You are not logged in: run svc login, or set SVC_API_KEY to a platform key.");
  }
  if (credential === "channel" && !channelKey) {
    throw new NotLoggedIn(
      "Set SVC_CHANNEL_KEY to a channel's server key (svc_srv_…); svc channel-keys create makes one.",
    );
  }
  const caller = usable(() =>
    createCaller({
      ...{ baseUrl, fetch: io.fetch, timing: io.timing, onRetry: (failure, ms) => sayRetry(io, failure, ms) },
      ...(credential === "platform" ? { key } : { channelKey }),
    }),
  );
  const seconds = flags.timeout as number | undefined;
  const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
  const options = {
    timeoutMs,
    retries: flags.retries as number | undefined,
    idempotencyKey: flags["idempotency-key"] as string | undefined,
  };
  return (input: Item) => caller(command.call, input, options);
}

/** A key or an address that cannot be one is a matter of how svc was called. */
export function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (failure) {
    if (failure instanceof TypeError) throw new UsageError(failure.message.replace(/^key must/, "The key must"));
    throw failure;
  }
}

export function sayRetry({ stderr }: Io, { code }: SvcError, pauseMs: number): void {
  stderr.write(`svc: ${code}; trying again in ${(pauseMs / 1000).toFixed(1)} s\n`);
}

interface Printing {
  io: Io;
  asJson: boolean;
}

function printResult(command: NamedCommand, result: unknown, { io, asJson }: Printing): void {
  if (typeof result === "string") io.stdout.write(result);
  else if (asJson) io.stdout.write(result === undefined ? "" : `${JSON.stringify(result, null, 2)}\n`);
  else if (result === undefined) io.stdout.write("Done.\n");
  else if (isList(result)) printPage(command, result, { io, asJson });
  else {
    printRecord(paperOf(io), result as Item);
    if ("key" in (result as Item)) io.stderr.write("\nThe key is shown this once: keep it now.\n");
  }
}

const isList = (result: unknown): result is Page<Item> =>
  Array.isArray((result as Page<Item>).data) && "next_cursor" in (result as object);

function printPage(command: NamedCommand, page: Page<Item>, { io, asJson }: Printing): void {
  if (asJson) return void io.stdout.write(`${JSON.stringify(page, null, 2)}\n`);
  if (page.data.length === 0) return void io.stderr.write("Nothing here yet.\n");
  printTable(paperOf(io), page.data, command.columns);
  if (page.next_cursor === null) return;
  io.stderr.write(`\nThere is more: --all, or --cursor ${page.next_cursor}\n`);
}

async function printAll(command: NamedCommand, list: Pages<Item>, io: Io): Promise<void> {
  let seen = 0;
  for await (const page of list.pages()) {
    if (page.data.length > 0) printTable(paperOf(io), page.data, command.columns);
    seen += page.data.length;
    if (page.next_cursor !== null) io.stderr.write(`${seen} so far …\n`);
  }
  if (seen === 0) io.stderr.write("Nothing here yet.\n");
}

/** One envelope, as if it had been one page; written as it comes, because it may be long. */
async function printAllJson(list: Pages<Item>, { stdout }: Io): Promise<void> {
  let separator = "";
  stdout.write('{"data":[');
  for await (const item of list) {
    stdout.write(`${separator}\n${JSON.stringify(item)}`);
    separator = ",";
  }
  stdout.write('\n],"next_cursor":null}\n');
}
