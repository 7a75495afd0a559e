import { stringifyJson } from "../exact-json";
import { OPERATIONS } from "../generated/operations";
import type { Page, Pages } from "../operation";
import type { NamedCommand } from "./command";
import { connect } from "./connect";
import { EXIT } from "./errors";
import type { Io } from "./io";
import { watchPod } from "./pods/watch-pod";
import { watchedUntil } from "./pods/watched-commands";
import { type Item, printRecord, printTable, SHOWN_ONCE, tableOutput } from "./print-table";
import { type Arguments, readArguments } from "./read-arguments";
import { cellText } from "./terminal-text";
import { openFeed } from "./upload";
import { commandUsage } from "./usage";

/** Calls a command's operation and prints the result. */
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
    if (read.flags.watch) return watchResult(command, result as ChangedPod, { io, read });
    printResult(command, result, { io, asJson });
    return command.call.upload ? reportRejected(io, result as FeedCounts) : EXIT.ok;
  }
  const list = call(read.input) as Pages<Item>;
  if (read.flags.all) await (asJson ? printAllJson(list, io) : printAll(command, list, io));
  else printPage(command, await list.page(), { io, asJson });
  return EXIT.ok;
}

interface ChangedPod extends Item {
  id: string;
  runs: number;
}

/** Prints what happens on standard error, and the pod itself when it has the status that was waited for. */
async function watchResult(
  command: NamedCommand,
  { id, runs }: ChangedPod,
  { io, read }: { io: Io; read: Arguments },
): Promise<number> {
  const until = watchedUntil(command) ?? "ended";
  const asJson = read.flags.json === true;
  const call = connect(command.call.credential, read.flags["base-url"] as string | undefined, io);
  const { stop, end } = io.interruption?.() ?? { stop: new AbortController().signal, end: undefined };
  try {
    io.stderr.write(`${cellText(id)}\n`);
    const status = await watchPod(id, { io, call, until, stop, asJson, output: io.stderr, fromRun: runs });
    if (!stop.aborted) printResult(command, await call(OPERATIONS.getPod, { id }, {}), { io, asJson });
    return status;
  } finally {
    end?.();
  }
}

function callerOf(command: NamedCommand, { flags }: Arguments, io: Io) {
  const caller = connect(command.call.credential, flags["base-url"] as string | undefined, io);
  const seconds = flags.timeout as number | undefined;
  const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
  const options = {
    timeoutMs,
    retries: flags.retries as number | undefined,
    idempotencyKey: flags["idempotency-key"] as string | undefined,
  };
  return (input: Item) => caller(command.call, input, options);
}

interface FeedCounts {
  accepted: number;
  rejected: number;
}

/** An upload with rejected lines fails, so that a script notices. */
function reportRejected({ stderr }: Io, { accepted, rejected }: FeedCounts): number {
  if (!rejected) return EXIT.ok;
  stderr.write(`svc: ${rejected} of ${accepted + rejected} lines rejected; the other lines are stored.\n`);
  return EXIT.refused;
}

interface PrintOptions {
  io: Io;
  asJson: boolean;
}

function printResult(command: NamedCommand, result: unknown, { io, asJson }: PrintOptions): void {
  if (typeof result === "string") io.stdout.write(result);
  else if (asJson) io.stdout.write(result === undefined ? "" : `${stringifyJson(result, 2)}\n`);
  else if (result === undefined) io.stdout.write("Done.\n");
  else if (isList(result)) printPage(command, result, { io, asJson });
  else {
    printRecord(tableOutput(io), result as Item);
    const secret = Object.keys(result as Item).find((name) => SHOWN_ONCE.has(name));
    if (secret !== undefined) io.stderr.write(`\nThis ${secret} is shown only once: store it now.\n`);
  }
}

const isList = (result: unknown): result is Page<Item> =>
  Array.isArray((result as Page<Item>).data) && "next_cursor" in (result as object);

function printPage(command: NamedCommand, page: Page<Item>, { io, asJson }: PrintOptions): void {
  if (asJson) return void io.stdout.write(`${stringifyJson(page, 2)}\n`);
  if (page.data.length === 0) return void io.stderr.write("No items.\n");
  printTable(tableOutput(io), page.data, command.columns);
  if (page.next_cursor === null) return;
  io.stderr.write(`\nMore items: use --all, or --cursor ${page.next_cursor}\n`);
}

async function printAll(command: NamedCommand, list: Pages<Item>, io: Io): Promise<void> {
  let seen = 0;
  for await (const page of list.pages()) {
    if (page.data.length > 0) printTable(tableOutput(io), page.data, command.columns);
    seen += page.data.length;
    if (page.next_cursor !== null) io.stderr.write(`${seen} so far …\n`);
  }
  if (seen === 0) io.stderr.write("No items.\n");
}

/** All pages in one envelope, streamed, because the list may be long. */
async function printAllJson(list: Pages<Item>, { stdout }: Io): Promise<void> {
  let separator = "";
  stdout.write('{"data":[');
  for await (const item of list) {
    stdout.write(`${separator}\n${stringifyJson(item)}`);
    separator = ",";
  }
  stdout.write('\n],"next_cursor":null}\n');
}
