import { initTRPC, type TRPCError } from "@trpc/server";
import type { SessionView } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import type { Caller } from "../../operation/authorize";
import type { AnyOperation } from "../../operation/operation";
import type { PipelineParts } from "../../operation/pipeline";
import type { RateLimitStatus } from "../../operation/rate-limit";
import type { RequestMeta } from "../../operation/request-meta";
import { failureOf, toTrpcError } from "./error-shape";

/** The context of a procedure; created for each HTTP request. */
export interface TrpcCtx {
  session: SessionView | undefined;
  pipeline: PipelineParts<Caller>;
  request: RequestMeta;
  requestHeaders: Headers;
  /** Operations that open or close a session add their cookies here. */
  responseHeaders: Headers;
  /** Receives the limits of the caller, for the response headers. */
  onCounted: (limits: readonly RateLimitStatus[]) => void;
  /** The origin of PUBLIC_URL. */
  publicOrigin: string;
}

const t = initTRPC
  .context<TrpcCtx>()
  .meta<{ operation: AnyOperation }>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const failure = failureOf(error, ctx?.request.requestId ?? "");
      return {
        code: shape.code,
        message: failure.message,
        data: { code: shape.data.code, httpStatus: shape.data.httpStatus, failure },
      };
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

const translateErrors = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) return result;
  const error = toTrpcError(result.error);
  setRetryAfter(error, ctx.responseHeaders);
  throw error;
});

/** The longest wait of a batch. A quota does not recover by waiting. */
function setRetryAfter({ cause }: TRPCError, headers: Headers): void {
  if (!(cause instanceof ServiceError) || cause.code === "quota_exceeded") return;
  const seconds = Math.max(cause.retryAfterSeconds ?? 0, Number(headers.get("retry-after")));
  if (seconds > 0) headers.set("retry-after", String(seconds));
}

/** Reads the input only when the pipeline needs it, so that no body is read before the call was counted. */
const readLazily = t.middleware(({ getRawInput, next }) => next({ getRawInput: async () => getRawInput }));

/** The base of every procedure; `procedures.ts` creates them from operations. */
export const procedure = t.procedure.use(translateErrors).use(readLazily);
