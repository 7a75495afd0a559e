import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { Consent } from "../consent/consent";
import { SIGNALS_MAX } from "../limits";
import type { ServingChannel } from "../ranking/serving";
import type { ServeCtx } from "../serve-ctx";
import { VisitorId } from "../users/visitor-id";
import { Signal } from "./signal";
import { subjectKeysOf } from "./subject-keys";

export const ReportSignals = z.object({
  user_id: VisitorId,
  session_id: VisitorId,
  signals: z.array(Signal).min(1).max(SIGNALS_MAX),
  consent: Consent.optional(),
});

/** Remembers what a user or session has shown, to the same effect as signals inside an offers request. */
export async function reportSignals(
  ctx: ServeCtx & { channel: ServingChannel },
  input: z.output<typeof ReportSignals>,
): Promise<void> {
  const { tenantId } = ctx.channel;
  const keys = subjectKeysOf(ctx.userKey, tenantId, { userId: input.user_id, sessionId: input.session_id });
  if (keys.length === 0) {
    throw new ServiceError(
      "invalid_request",
      "Send user_id or session_id, or both: a signal needs somebody it is about.",
      {
        param: "user_id",
      },
    );
  }
  if (ctx.consent.rightsOf(ctx.visitor, input.consent).signals)
    await ctx.signals.remember(tenantId, keys, input.signals);
}
