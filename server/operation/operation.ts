import type { z } from "zod";
import type { InputLimits } from "../kernel/bounded-input";
import type { Scope } from "./actor";
import type { CountedQuota } from "./quota";
import type { Reply } from "./reply";

/** An expensive call: `bulk` imports or reads many rows, `report` aggregates many days. */
export type CostClass = "bulk" | "report";

/**
 * Who may call: callers with a scope; `plane:read` and `plane:write`, callers with that scope of some plane, of which
 * `run` checks that of the resource; `signed_in`, anyone with a valid key or session; `person`, anyone who is logged
 * in; `public`, everyone. The offers API adds three: holders of a channel key, of an offer id, and of the token of a
 * conversion pixel.
 */
export type Access =
  | Scope
  | PlaneAccess
  | "signed_in"
  | "person"
  | "public"
  | "channel_key"
  | "offer_id"
  | "pixel_token";

/** Access to an operation on resources: the scope depends on the plane of the resource, which only the input or its row says. */
export type PlaneAccess = "plane:read" | "plane:write";

/** The parts of a call that are not its input. */
export interface CallOptions {
  /** Aborted when the client disconnects, which ends long polls and uploads. */
  signal?: AbortSignal | undefined;
  /** The body of an operation with `upload`. */
  body?: ReadableStream<Uint8Array> | undefined;
  /** The UUID of the request's Idempotency-Key, if the operation takes one. */
  idempotencyKey?: string | undefined;
}

/**
 * The result of an operation with `streams`, except for server-sent events, which are an async iterable of JSON values.
 */
export interface Download {
  body: ReadableStream<Uint8Array> | string;
  /** Browsers save the download under this name. */
  filename?: string;
}

/** An example call, for the documentation and the table-driven tests. */
export interface OperationExample<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** Path parameters, query and JSON body. */
  input: z.input<I>;
  output: z.output<O>;
  /** A body that is not JSON, by media type. */
  upload?: Readonly<Record<string, string>>;
  /** The same output as CSV. */
  csv?: string;
}

/** The properties of an operation on every surface. */
export interface Contract<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  /** The name in OpenAPI, the SDK and the command line, such as `createChannel`. Unique. */
  id: string;
  summary: string;
  description?: string;
  access: Access;
  /** Calls of a class have an additional rate limit (`WINDOWS`) on every surface. */
  cost?: CostClass;
  /**
   * A call may take seconds or minutes, such as one that waits for a program: agents can run it as a task. So can those of
   * a cost class.
   */
  takesLong?: true;
  /**
   * The operation creates something: a call may have an Idempotency-Key, and a retry within 24 hours returns the first
   * result.
   */
  idempotent?: true;
  /** Limits of a JSON body that may be larger than usual; `bytes` also applies to the body as sent. */
  inputLimits?: InputLimits;
  /**
   * The JSON body is passed on with its numbers as they were written: `run` receives those that JSON.stringify would
   * write in another way as marks of `kernel/relayed-json`, also in fields whose schema is a number.
   */
  relaysNumbers?: true;
  /** Exactly one of these fields of the body is required, which `run` checks. */
  requiresOneOf?: readonly string[];
  /** How many elements the batch of an input has: each 50 of them count as a request, before any of them is used. */
  elements?: (input: z.output<I>) => number;
  /** The quota that a call counts against, checked in the transaction of `run`. */
  quota?: CountedQuota;
  /** The call stores something whose size its caller chooses: it is refused while svc's disk has only its reserve. */
  stores?: true;
  /** Unknown fields are rejected, unless it is a `z.looseObject`. */
  input: I;
  output: O;
  example: OperationExample<I, O>;
  /**
   * The work may go on after the call: `run` then returns a record, with which REST responds 202, and otherwise undefined,
   * which is 204.
   */
  mayContinue?: true;
  /** The kind of success, if the output does not determine it: REST returns 201, 202, 204 or 302. */
  result?: "created" | "accepted" | "none" | "redirect";
  /** Media types of a JSON body; default: application/json. Browser beacons send text/plain. */
  mediaTypes?: readonly string[];
  /** Media types of a streamed body, which `run` receives in its options. */
  upload?: readonly string[];
  /** The output as CSV, for an operation whose input has `format`. */
  csv?: (output: z.output<O>) => string;
  /** The media type of an output that is a `Download` or an iterable of server-sent events instead of JSON. */
  streams?: string;
  /** The input can ask for a `Reply` of server-sent events instead of the output; this is an example of them. */
  mayStream?: string;
  /** The shape of errors on the routes of this operation, instead of the one that all others have. */
  errors?: "openai";
  /** The operation reads the request's cookies, and `cookie` of its result is sent as `Set-Cookie`, not in the body. */
  usesCookie?: true;
}

export interface Operation<
  Ctx,
  I extends z.ZodObject,
  O extends z.ZodType,
  R extends z.input<O> | Reply = z.input<O>,
  Id extends string = string,
> extends Contract<I, O> {
  id: Id;
  /** The product whose context it runs with; `contexts` of the pipeline has one per product. */
  product: string;
  /**
   * What a creating call asks of others, such as of Kubernetes, before `run`: `run` may be in a transaction, which must
   * not wait for it. `run` receives the result in its options, unless code in the server calls it directly.
   */
  prepare?: (ctx: Ctx, input: z.output<I>, options?: CallOptions) => Promise<unknown>;
  /**
   * The implementation. Code in the server may call it directly; access, limits, quota and idempotency are then not
   * checked, since the pipeline does this.
   */
  run: (ctx: Ctx, input: z.output<I>, options?: CallOptions) => Promise<R>;
  /**
   * What remains when the transaction of a creating call has been committed, such as waiting for what was created;
   * returns the response. It receives the result of `run`, also when a retry with the same Idempotency-Key has not run
   * again.
   */
  afterCommit?: (ctx: Ctx, created: z.output<O>, options?: CallOptions) => Promise<R>;
}

/** An operation of any types, for lists of operations. */
export type AnyOperation = Omit<
  Operation<never, z.ZodObject, z.ZodType>,
  "prepare" | "run" | "afterCommit" | "csv" | "elements" | "example"
> & {
  example: OperationExample;
  elements?: (input: never) => number;
  csv?: (output: never) => string;
  prepare?: (ctx: never, input: never, options?: CallOptions) => Promise<unknown>;
  run: (ctx: never, input: never, options?: CallOptions) => Promise<unknown>;
  afterCommit?: (ctx: never, created: never, options?: CallOptions) => Promise<unknown>;
};

/** Makes a declaration fail to compile if the product does not provide the context. */
export type Provided<Full, Ctx> = [Full] extends [Ctx] ? unknown : { run: never };

/**
 * Creates the function with which a product declares its operations. The types of contract and function must match, and
 * the product must provide the context that the function requires.
 *
 *     export const createChannel = operation({ id: "createChannel", access: "ads:write", …, run: async (ctx: AdsCtx, input) => … });
 */
export const operationsOf =
  <Full>(product: string) =>
  <Ctx, I extends z.ZodObject, O extends z.ZodType, R extends z.input<O> | Reply, Id extends string, P = unknown>(
    declared: Omit<Operation<Ctx, I, O, R, Id>, "product" | "prepare" | "run"> & {
      prepare?: (ctx: Ctx, input: z.output<I>, options?: CallOptions) => Promise<P>;
      run: (ctx: Ctx, input: z.output<I>, options?: CallOptions & { prepared?: P | undefined }) => Promise<R>;
    } & Provided<Full, Ctx>,
  ): Operation<NoInfer<Ctx>, I, O, R, Id> => ({ ...declared, product });
