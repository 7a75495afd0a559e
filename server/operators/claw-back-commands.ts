import { z } from "zod";
import { suspendChannel } from "../ads/channels/suspend-channel";
import { ClawBack, type ClawBackResult, clawBack } from "../ads/clawbacks/claw-back";
import type { ClawbackSums } from "../ads/clawbacks/clawback";
import { nanosToMicros } from "../kernel/money";
import { type Command, command } from "./command";
import type { CommandResult, OperatorCtx } from "./operator-ctx";
import { table } from "./table";

const Channel = z.string("--channel is missing").startsWith("chn_", "expected a channel id that begins with chn_");
const Time = z.coerce.date(
  "--from, --to: expected a date such as 2026-11-01 (UTC), or a time such as 2026-11-01T08:00Z",
);
const Options = z.object({
  channel: Channel,
  from: Time.optional(),
  to: Time.optional(),
  offer: z
    .string()
    .default("")
    .transform((ids) => ids.split(",").filter(Boolean))
    .pipe(z.array(z.uuid("--offer: expected offer ids, separated by commas")).max(1000, "--offer: at most 1,000")),
  reason: z
    .string("--reason is missing")
    .trim()
    .min(1, "--reason is missing")
    .max(500, "--reason: at most 500 characters"),
});

/** Commands for channels with invalid traffic. */
export const CLAW_BACK_COMMANDS: readonly Command[] = [
  command({
    name: "claw-back",
    usage:
      "--channel <id> [--from <time>] [--to <time>] [--offer <id>,…] --reason <text> [--include-available] [--block] [--yes]",
    about: `reverses charges and earnings of a channel's events that other tenants paid for; each event only once.
      Without --yes, only prints what it would reverse. --block also suspends the channel; --include-available also
      reverses available earnings`,
    flags: ["include-available", "block", "yes"],
    operands: z.tuple([], "expected no arguments"),
    texts: Options,
    run: async (ctx, _, { flags, texts: { offer, ...texts } }) => {
      const chosen = { include_available: flags.has("include-available"), block: flags.has("block") };
      const confirmed = flags.has("yes");
      const result = await clawBack(ctx, ClawBack.parse({ ...texts, offers: offer, ...chosen, confirmed }));
      return confirmed ? doneResult(ctx, result) : dryRunResult(ctx, result);
    },
  }),
  command({
    name: "suspend-channel",
    usage: "<channel>",
    about: "suspends the campaigns of other tenants on a channel; the publisher's own campaigns continue",
    operands: z.tuple([Channel]),
    run: (ctx, [channel]) => changeSuspension(ctx, channel, true),
  }),
  command({
    name: "resume-channel",
    usage: "<channel>",
    about: "resumes the campaigns of other tenants on a suspended channel",
    operands: z.tuple([Channel]),
    run: (ctx, [channel]) => changeSuspension(ctx, channel, false),
  }),
];

async function changeSuspension(ctx: OperatorCtx, channel: string, suspended: boolean): Promise<CommandResult> {
  const changed = await suspendChannel(ctx, { id: channel, suspended });
  const state = suspended ? "serves no campaigns of other tenants" : "serves campaigns of other tenants";
  const text = `${channel} ${changed ? "" : "already "}${state}.${changed ? " Takes effect within a second." : ""}`;
  return { text, json: { channel_id: channel, suspended, changed } };
}

function dryRunResult({ currency }: OperatorCtx, { terms, found }: ClawBackResult): CommandResult {
  const total = sum(found);
  const rows = [...found, { day: "total", ...total }].map((line) => [
    line.day,
    `${line.events}`,
    amount(line.chargeNanos),
    amount(line.earningNanos),
  ]);
  const [from, to] = [terms.from.toISOString(), terms.to.toISOString()];
  const text = `Nothing was changed. With --yes, the command reverses from ${from} to ${to}:
${table(["DAY", "EVENTS", `CHARGES ${currency}`, `EARNINGS ${currency}`], rows)}`;
  const days = found.map(({ day, ...sums }) => ({ day, ...wire(sums) }));
  return { text, json: { done: false, channel_id: terms.channelId, from, to, ...wire(total), days } };
}

function doneResult({ currency }: OperatorCtx, { terms, finished }: ClawBackResult): CommandResult {
  const lines = finished.map(
    (one) =>
      `${one.id}: reversed ${one.events} events, charges of ${amount(one.chargeNanos)} and earnings of ${amount(one.earningNanos)} ${currency}.`,
  );
  const text = lines.length > 0 ? lines.join("\n") : "Nothing is left to claw back.";
  const clawbacks = finished.map(({ id, reason, from, to, ...sums }) => ({
    id,
    reason,
    from: from.toISOString(),
    to: to.toISOString(),
    ...wire(sums),
  }));
  return { text, json: { done: true, channel_id: terms.channelId, clawbacks } };
}

const wire = ({ events, chargeNanos, earningNanos }: ClawbackSums) => ({
  events,
  charge_micros: Number(nanosToMicros(chargeNanos)),
  earning_micros: Number(nanosToMicros(earningNanos)),
});

const sum = (all: readonly ClawbackSums[]): ClawbackSums => ({
  events: all.reduce((count, { events }) => count + events, 0),
  chargeNanos: all.reduce((nanos, { chargeNanos }) => nanos + chargeNanos, 0n),
  earningNanos: all.reduce((nanos, { earningNanos }) => nanos + earningNanos, 0n),
});

const amount = (nanos: bigint): string => (Number(nanosToMicros(nanos)) / 1_000_000).toFixed(6);
