import { stringifyJson } from "../exact-json";
import { OPERATIONS } from "../generated/operations";
import type { Operation, Page, Pages } from "../operation";
import type { SvcError } from "../platform-client";
import { sleep } from "../sleep";
import { assertSecret, newSecret } from "../webhook-signature";
import type { WebhookEvent } from "../webhooks";
import { connect, withUsageErrors } from "./connect";
import { EXIT, UsageError } from "./errors";
import { type EventSource, followEvents } from "./follow-events";
import { forwardEvent, readTarget } from "./forward-event";
import type { Io } from "./io";
import type { Arguments } from "./read-arguments";
import { suggestion } from "./suggestion";
import { cellText } from "./terminal-text";

type ListPage = <T>(operation: Operation, input: object) => Promise<Page<T>>;

/** `svc webhooks listen`: forwards events until it is interrupted. */
export async function listen({ input, flags }: Arguments, io: Io): Promise<number> {
  const target = readTarget(String(input.forward), { allowRemote: flags["allow-remote"] === true });
  const patterns = (input.events ?? []) as string[];
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const secret = input.secret === undefined ? newSecret() : await readSecret(input.secret, io);
  const stop = io.interruption?.().stop ?? new AbortController().signal;
  const list: ListPage = <T>(operation: Operation, given: object) =>
    (call(operation, { ...given }, { signal: stop, retries: 0 }) as Pages<T>).page();
  const forwarding = { target, secret, fetch: io.fetch ?? globalThis.fetch, signal: stop };
  try {
    await assertKinds(patterns, list);
    const events = followEvents(sourceOf(list, { io, stop }), () => {
      io.stderr.write(`Forwarding ${patterns.join(", ") || "all events"} to ${target.href}; Ctrl-C ends it.\n`);
      if (input.secret === undefined) io.stderr.write(`The signing secret is ${secret}\n`);
    });
    // Lines of JSON must not be mixed with others.
    const lines = flags["print-json"] ? io.stderr : io.stdout;
    for await (const event of events) {
      if (!isWanted(event.type, patterns)) continue;
      if (flags["print-json"]) io.stdout.write(`${stringifyJson(event)}\n`);
      const { outcome, elapsedMs } = await forwardEvent(event, forwarding);
      const cells = [event.created_at, outcome, `${Math.round(elapsedMs)} ms`, event.type, event.id];
      lines.write(`${cells.map(cellText).join("  ")}\n`);
    }
  } catch (failure) {
    if (!stop.aborted) throw failure;
  }
  return EXIT.ok;
}

function sourceOf(list: ListPage, { io, stop }: { io: Io; stop: AbortSignal }): EventSource {
  const pause = io.timing?.sleep ?? sleep;
  return {
    list: (input) => list<WebhookEvent>(OPERATIONS.listEvents, input),
    sleep: (ms) => pause(ms, stop),
    onOutage: (failure: SvcError | undefined) =>
      io.stderr.write(
        failure
          ? `svc: ${failure.reason} Events will be forwarded when svc responds again.\n`
          : "svc responds again.\n",
      ),
  };
}

/** The secret is not taken from the arguments, which other users of the computer can see. */
async function readSecret(source: unknown, io: Io): Promise<string> {
  if (source !== "-") throw new UsageError("--secret: it must be -, to read the secret from standard input.");
  const secret = (await io.ask("Signing secret: ", { hidden: true })).trim();
  withUsageErrors(() => assertSecret(secret));
  return secret;
}

/** A kind that does not exist would wait for ever. */
async function assertKinds(patterns: readonly string[], list: ListPage): Promise<void> {
  if (patterns.length === 0) return;
  const { data } = await list<{ type: string }>(OPERATIONS.listEventKinds, {});
  const types = data.map(({ type }) => type);
  const unknown = patterns.filter((pattern) => !types.some((type) => isWanted(type, [pattern])));
  if (unknown.length === 0) return;
  const prefixes = new Set(types.map((type) => type.replace(/\.[^.]+$/, ".*")));
  throw new UsageError(
    unknown.map(
      (pattern) =>
        `--events: there is no kind "${pattern.slice(0, 80)}"${suggestion(pattern, [...types, ...prefixes])}`,
    ),
    "svc event-kinds list shows all kinds.",
  );
}

const isWanted = (type: string, patterns: readonly string[]): boolean =>
  patterns.length === 0 ||
  patterns.some((one) => one === "*" || one === type || (one.endsWith(".*") && type.startsWith(one.slice(0, -1))));
