import { stringifyJson } from "../exact-json";
import type { Message } from "../generated/platform-types";
import type { SvcError } from "../platform-client";
import { sleep } from "../sleep";
import { connect } from "./connect";
import { EXIT } from "./errors";
import type { Io } from "./io";
import { RETRY_DELAY_SECONDS } from "./own-commands";
import { queueCalls } from "./queue-calls";
import { consumeQueue, type WorkResult } from "./queue-consumer";
import type { Arguments } from "./read-arguments";
import { runProgram } from "./run-program";
import { cellText } from "./terminal-text";

/** `svc queues consume`: runs a command for each message until it is interrupted, or with --once until none is left. */
export async function consume({ input, flags, program }: Arguments, io: Io): Promise<number> {
  const { concurrency = 1, max_messages = concurrency, retry_delay = RETRY_DELAY_SECONDS } = input as Settings;
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const never = new AbortController().signal;
  const { stop, kill } = io.interruption?.() ?? { stop: never, kill: never };
  const once = flags.once === true;
  let running = 0;
  const work = async (message: Message): Promise<string | undefined> => {
    running++;
    const env = { ...io.env, ...envOf(message) };
    return runProgram(program, { input: textOf(message), env, kill }).finally(() => running--);
  };
  const sayStop = (): void => void (running > 0 && io.stderr.write(`${FINISHING}\n`));
  const sayKill = (): void => void (running > 0 && io.stderr.write("Ending the running commands.\n"));
  stop.addEventListener("abort", sayStop, { once: true });
  kill.addEventListener("abort", sayKill, { once: true });
  try {
    const calls = await queueCalls(call, String(input.queue), stop);
    if (!flags.quiet && !once) io.stderr.write(`Waiting for messages of ${String(input.queue)}; Ctrl-C ends it.\n`);
    const failed = await consumeQueue({
      calls,
      concurrency,
      messagesMax: max_messages,
      retryDelaySeconds: retry_delay,
      once,
      stop,
      kill,
      work,
      sleep: io.timing?.sleep ?? sleep,
      now: io.timing?.now ?? (() => performance.now()),
      report: (result) => {
        if (!flags.quiet || result.outcome !== "acknowledged") io.stderr.write(lineOf(result));
      },
      onOutage: (failure) => io.stderr.write(outageLine(failure)),
    });
    return once && failed > 0 && !stop.aborted ? EXIT.refused : EXIT.ok;
  } catch (failure) {
    if (!stop.aborted) throw failure;
    return EXIT.ok;
  }
}

const FINISHING = "Waiting for the running commands to finish; Ctrl-C again ends them.";

interface Settings {
  concurrency?: number;
  max_messages?: number;
  retry_delay?: number;
}

const textOf = ({ body }: Message): string => (typeof body === "string" ? body : stringifyJson(body));

/** Without a group the variable is removed, in case that svc itself was started with one. */
const envOf = ({ id, group_id, receive_count, sent_at }: Message): Record<string, string | undefined> => ({
  SVC_MESSAGE_ID: id,
  SVC_GROUP_ID: group_id ?? undefined,
  SVC_RECEIVE_COUNT: String(receive_count),
  SVC_SENT_AT: sent_at,
});

const OUTCOMES = { acknowledged: "acknowledged", returned: "returned", lease_ended: "lease ended" } as const;

function lineOf({ message, outcome, elapsedMs, reason }: WorkResult): string {
  const cells = [OUTCOMES[outcome], message.id, `${Math.round(elapsedMs)} ms`];
  const more = outcome === "acknowledged" ? [] : [...(reason === undefined ? [] : [reason]), receiveText(message)];
  return `${[...cells, ...more].map(cellText).join("  ")}\n`;
}

const receiveText = ({ receive_count }: Message): string => `receive ${receive_count}`;

const outageLine = (failure: SvcError | undefined): string =>
  failure ? `svc: ${failure.reason} Messages will be received when svc responds again.\n` : "svc responds again.\n";
