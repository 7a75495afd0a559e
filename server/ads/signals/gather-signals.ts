import { ServiceError } from "../../kernel/errors";
import { subjectKeysOf } from "../users/subject-keys";
import type { Signal } from "./signal";
import type { SignalMemory } from "./signal-memory";
import { type SteeringSignal, steeringSignals } from "./steering-signals";

interface GatherCtx {
  signals: Pick<SignalMemory, "remember" | "recall">;
  /** The key that turns user ids into pseudonyms. */
  userKey: Buffer;
  channel: { tenantId: string };
}

interface AskedSignals {
  signals: readonly Signal[] | null;
  user_id: string;
  session_id: string;
}

/**
 * The signals that affect a request: its own and the remembered ones of its user and session. Inline signals are stored
 * first and then read like any others, so that both ways have the same effect; unless `remembers`, nothing is stored or
 * read.
 */
export async function gatherSignals(
  ctx: GatherCtx,
  request: AskedSignals,
  remembers: boolean,
): Promise<SteeringSignal[]> {
  const inline = request.signals ?? [];
  const { tenantId } = ctx.channel;
  const keys = subjectKeysOf(ctx.userKey, tenantId, { userId: request.user_id, sessionId: request.session_id });
  if (keys.length === 0 || !remembers) return steeringSignals(inline.map((signal) => ({ signal, ageMs: 0 })));
  const kept = inline.length === 0 || (await rememberInline(ctx, keys, inline));
  const recalled = await ctx.signals.recall(keys);
  return steeringSignals(kept ? recalled : [...inline.map((signal) => ({ signal, ageMs: 0 })), ...recalled]);
}

/** False if the tenant exceeds its limit for stored signals; the signals then affect only this request. */
async function rememberInline(ctx: GatherCtx, keys: readonly string[], inline: readonly Signal[]): Promise<boolean> {
  try {
    await ctx.signals.remember(ctx.channel.tenantId, keys, inline);
    return true;
  } catch (failure) {
    if (failure instanceof ServiceError && failure.code === "rate_limited") return false;
    throw failure;
  }
}
