import { stringifyJson } from "../../exact-json";
import type { Operation } from "../../operation";
import { connect } from "../connect";
import { EXIT } from "../errors";
import { followLogs } from "../follow-logs";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { printableText } from "../terminal-text";

const LOGS: Operation = {
  noun: "pods",
  verb: "logs",
  method: "GET",
  path: "/v1/pods/{id}/logs",
  credential: "platform",
  query: ["tail_bytes", "follow"],
  repeatable: true,
};

interface LogsFlags {
  follow?: boolean;
  json?: boolean;
  "tail-bytes"?: number;
  "base-url"?: string;
}

/** `svc pods logs`: the output so far, or until the run ends. */
export async function podLogs({ input, flags: given }: Arguments, io: Io): Promise<number> {
  const flags = given as LogsFlags;
  const call = connect("platform", flags["base-url"], io);
  const asked = { ...input, ...(flags["tail-bytes"] === undefined ? {} : { tail_bytes: flags["tail-bytes"] }) };
  if (flags.follow) return follow(asked, flags, io);
  const logs = (await call(LOGS, asked, {})) as { text: string };
  io.stdout.write(flags.json ? `${stringifyJson(logs, 2)}\n` : printableText(logs.text));
  return EXIT.ok;
}

interface LogEvent {
  text?: string;
  ended?: boolean;
}

const follow = (asked: Record<string, unknown>, flags: LogsFlags, io: Io): Promise<number> =>
  followLogs(
    {
      operation: LOGS,
      asked,
      baseUrl: flags["base-url"],
      what: "The output of the pod",
      print: (data) => {
        const event = JSON.parse(data) as LogEvent;
        if (flags.json) io.stdout.write(`${data}\n`);
        else if (event.text !== undefined) io.stdout.write(printableText(event.text));
        return event.ended === true;
      },
    },
    io,
  );
