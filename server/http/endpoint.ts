import type { z } from "zod";
import type { Scope } from "../identity/actors/actor";

/** What a call weighs: reads are cheap, writes normal, imports of many rows bulk. */
export type CostClass = "cheap" | "normal" | "bulk";

/**
 * Who may call: holders of a scope, anybody with a valid key or session token (`signed_in`), or anybody at all (`public`).
 */
export type Access = Scope | "signed_in" | "public";

export interface EndpointRow<Ctx, I extends z.ZodObject, O extends z.ZodType> {
  /** The operation's name in OpenAPI, the SDK and the command line: `createChannel`. */
  id: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters; each is a field of `input`. */
  path: string;
  tag: string;
  summary: string;
  access: Access;
  cost: CostClass;
  /** POST that creates: takes an Idempotency-Key. */
  idempotent: boolean;
  /**
   * Path parameters and, beside them, the query of a GET or DELETE and the JSON body of a POST or PATCH.
   * Unknown fields are refused. With `upload`, the rest beside the path is the query and the body a stream.
   */
  input: I;
  /** Media types of a streamed body; the verb gets it as `input.body`. */
  upload?: string[];
  output: O;
  /** The answer as CSV, for a row whose input has `format`: "csv" asks for it. */
  csv?: ((output: z.output<O>) => string) | undefined;
  status: 200 | 201 | 204;
  /** The verb reads the request's cookies, and `cookie` of its result is sent as `Set-Cookie`, not in the body. */
  usesCookie?: true;
  run: (ctx: Ctx, input: z.output<I> & { body?: ReadableStream<Uint8Array> | undefined }) => Promise<z.input<O>>;
}

/** A row of any endpoint once its types have been checked. */
export type AnyEndpoint<Ctx> = EndpointRow<Ctx, z.ZodObject, z.ZodType>;

/** Checks that input, output and verb of a row agree, then forgets the exact types so that rows can share a list. */
export const endpoint = <Ctx, I extends z.ZodObject, O extends z.ZodType>(
  row: EndpointRow<Ctx, I, O>,
): AnyEndpoint<Ctx> => row as unknown as AnyEndpoint<Ctx>;
