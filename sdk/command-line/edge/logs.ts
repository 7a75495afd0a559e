import { stringifyJson } from "../../exact-json";
import type { Operation } from "../../operation";
import { connect } from "../connect";
import { EXIT } from "../errors";
import { followLogs } from "../follow-logs";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { printableText } from "../terminal-text";

const LOGS: Operation = {
  noun: "edge",
  verb: "logs",
  method: "GET",
  path: "/v1/edge/functions/{id}/logs",
  credential: "platform",
  query: ["lines", "follow"],
  repeatable: true,
};

interface LogsFlags {
  follow?: boolean;
  json?: boolean;
  lines?: number;
  "base-url"?: string;
}

interface Line {
  at: string;
  level: string;
  text: string;
}

/** `svc edge logs`: the newest lines, or also those that follow. */
export async function edgeLogs({ input, flags: given }: Arguments, io: Io): Promise<number> {
  const flags = given as LogsFlags;
  const asked = { ...input, ...(flags.lines === undefined ? {} : { lines: flags.lines }) };
  if (flags.follow) {
    const print = (data: string): boolean => {
      io.stdout.write(flags.json ? `${data}\n` : textOf(JSON.parse(data) as Line));
      return false;
    };
    return followLogs({ operation: LOGS, asked, baseUrl: flags["base-url"], what: "The logs", print }, io);
  }
  const call = connect("platform", flags["base-url"], io);
  const logs = (await call(LOGS, asked, {})) as { data: Line[] };
  io.stdout.write(flags.json ? `${stringifyJson(logs, 2)}\n` : logs.data.map(textOf).join(""));
  return EXIT.ok;
}

const textOf = ({ at, level, text }: Line): string => printableText(`${at} ${level.padEnd(7)} ${text}\n`);
