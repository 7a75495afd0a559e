import { type OctetInput, octetInputParser } from "@trpc/server/http";
import type { z } from "zod";
import { boundedInput } from "../../kernel/bounded-input";
import { ServiceError } from "../../kernel/errors";
import type { Caller } from "../../operation/authorize";
import type { AnyOperation, CallOptions, Operation } from "../../operation/operation";
import { parseInput } from "../../operation/parse-input";
import { type Input, runCall } from "../../operation/pipeline";
import type { Reply } from "../../operation/reply";
import { withBrowser } from "../../operation/request-meta";
import { replyText } from "./reply-text";
import { foreignOrigin, isSameOrigin } from "./same-origin";
import { procedure, type TrpcCtx } from "./trpc";

/** An operation for tRPC: of any context, with the types of its input and output. */
export type Callable<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Operation<never, I, O>;

/** A query procedure that runs the operation. */
export const query = <I extends z.ZodObject, O extends z.ZodType>(operation: Callable<I, O>) =>
  procedureOf(operation)
    .input(asSent(operation))
    .query(({ ctx, input, signal }) =>
      callOperation<O>(ctx, operation, { read: input as unknown as ReadInput, options: { signal } }),
    );

/** A mutation: it changes something, or its input is too long for a URL. */
export const mutation = <I extends z.ZodObject, O extends z.ZodType>(operation: Callable<I, O>) =>
  procedureOf(operation)
    .input(asSent(operation))
    .mutation(({ ctx, input, signal }) =>
      callOperation<O>(ctx, operation, { read: input as unknown as ReadInput, isChange: true, options: { signal } }),
    );

/**
 * A mutation whose operation answers with a `Reply`, sent in parts as they arrive: the client needs a link that reads
 * streams.
 */
export const stream = <I extends z.ZodObject, O extends z.ZodType>(operation: Operation<never, I, O, Reply>) =>
  procedureOf(operation)
    .input(asSent<I, O>(operation as unknown as Callable<I, O>))
    .mutation(({ ctx, input, signal }) =>
      runCall<Caller, AsyncGenerator<string>>(ctx.pipeline, {
        ...callOf(ctx, operation, { read: input as unknown as ReadInput, isChange: true, options: { signal } }),
        respond: (result) => replyText(result, signal),
      }),
    );

/** A procedure whose body is a streamed file; `inputOf` reads the input from the request's headers. */
export const upload = <I extends z.ZodObject, O extends z.ZodType>(
  operation: Callable<I, O>,
  inputOf: (headers: Headers) => Input,
) =>
  procedureOf(operation)
    .input(asFile)
    .mutation(({ ctx, input: readFile, signal }) => {
      const options: CallOptions = { signal };
      const read = async () => {
        options.body = octetInputParser.parse(await (readFile as unknown as ReadInput)()) as ReadableStream<Uint8Array>;
        return inputOf(ctx.requestHeaders);
      };
      return callOperation<O>(ctx, operation, { read, isChange: true, options });
    });

const asFile = (unread: unknown): OctetInput => unread as OctetInput;

/** A procedure with its operation as metadata, so that tests and tools can list them. */
const procedureOf = (operation: unknown) => procedure.meta({ operation: operation as AnyOperation });

type ReadInput = () => Promise<unknown>;

/**
 * Gives clients the type of the input. At run time the value is the function that reads it (see `procedure`), which the
 * pipeline calls.
 */
const asSent =
  <I extends z.ZodObject, O extends z.ZodType>(_: Callable<I, O>) =>
  (unread: unknown): Sendable<I> =>
    unread as Sendable<I>;

/** An operation without fields may be called without an input. */
export type Sendable<I extends z.ZodObject> =
  z.input<I> extends Record<string, never> ? z.input<I> | undefined : z.input<I>;

interface Sent {
  read: ReadInput;
  /** Browsers send a session cookie with requests from other sites too, so changes must come from svc's own pages. */
  isChange?: boolean;
  options: CallOptions;
}

const callOperation = <O extends z.ZodType>(
  ctx: TrpcCtx,
  operation: Callable<z.ZodObject, O>,
  sent: Sent,
): Promise<z.output<O>> =>
  runCall<Caller, z.output<O>>(ctx.pipeline, {
    ...callOf(ctx, operation, sent),
    respond: (result) => (operation.usesCookie ? moveCookies(ctx, result as Cookies) : result) as z.output<O>,
  });

/** A call of the pipeline, except for what becomes of its result. */
const callOf = (ctx: TrpcCtx, operation: Callable, { read, isChange = false, options }: Sent) => ({
  meta: operation.usesCookie ? withBrowser(ctx.request, { headers: ctx.requestHeaders }) : ctx.request,
  authenticate: () => callerOf(ctx),
  target:
    isChange && !isSameOrigin(ctx.requestHeaders, ctx.publicOrigin) ? foreignOrigin() : (operation as AnyOperation),
  readInput: async () => {
    const sent = boundedInput((await read()) ?? {}) as Input;
    return { sent, input: parseInput(operation.input, sent) as Input };
  },
  options,
  onCounted: ctx.onCounted,
});

/** The caller, from the session cookie. */
export const callerOf = ({ session }: TrpcCtx): Caller =>
  session
    ? { actor: session.actor, context: { session } }
    : { refusal: new ServiceError("unauthorized", "Your session has ended; log in again.") };

interface Cookies {
  cookie: string;
  deviceCookie?: string;
}

/** Moves the cookies of a result to the response's headers, where scripts cannot read them. */
function moveCookies({ responseHeaders }: TrpcCtx, { cookie, deviceCookie, ...rest }: Cookies): object {
  for (const value of [cookie, deviceCookie]) if (value !== undefined) responseHeaders.append("set-cookie", value);
  return rest;
}
