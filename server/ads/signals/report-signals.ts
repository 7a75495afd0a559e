import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { Consent } from "../consent/consent";
import { operation } from "../offers-operation";
import { subjectKeysOf } from "../users/subject-keys";
import { VisitorId } from "../users/visitor-id";
import { Signals } from "./signal";
import type { SignalCtx } from "./signal-ctx";

export const ReportSignals = z.object({
  user_id: VisitorId,
  session_id: VisitorId,
  signals: Signals.min(1),
  consent: Consent.optional(),
});

/** Stores signals of a user or session, with the same effect as signals in an offers request. */
export const reportSignals = operation({
  id: "reportSignals",
  summary: "Report signals",
  description: "Stores typed intent signals of a user or session, with the same effect as inline signals.",
  access: "channel_key",
  input: ReportSignals,
  output: z.void(),
  example: {
    input: {
      session_id: "s-41c9",
      signals: [{ category: "Shoes>Running", confidence: 0.8, subject: "trail running" }],
    },
    output: undefined,
  },
  run: async (ctx: SignalCtx, input) => {
    const { tenantId } = ctx.channel;
    const keys = subjectKeysOf(ctx.userKey, tenantId, { userId: input.user_id, sessionId: input.session_id });
    if (keys.length === 0) {
      throw new ServiceError(
        "invalid_request",
        "Send user_id, session_id or both; a signal must belong to a user or a session.",
        {
          param: "user_id",
        },
      );
    }
    if (ctx.consent.rightsOf(ctx.visitor, input.consent).signals)
      await ctx.signals.remember(tenantId, keys, input.signals);
  },
});
