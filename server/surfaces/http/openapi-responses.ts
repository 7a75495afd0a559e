import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { ERROR_STATUS, type ErrorCode, ServiceError } from "../../kernel/errors";
import { openAiErrorOf } from "./openai-error";

export type Registry = OpenAPIHono["openAPIRegistry"];
export type Route = Parameters<Registry["registerPath"]>[0];
type Responses = Route["responses"];

const ErrorSchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
    message: z
      .string()
      .describe("A description for people of the problem and its solution; the text may change, `code` does not"),
    request_id: z.string().describe("Also in `X-Request-ID`"),
    param: z.string().optional().describe("The invalid field, as a path such as `signals[0].confidence`"),
    retry_after: z.int().optional().describe("Seconds after which a retry can succeed"),
    details: z.record(z.string(), z.unknown()).optional().describe("`reason` is a more specific cause"),
  }),
});

const OpenAiErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z
      .string()
      .describe(
        "`invalid_request_error`, `authentication_error`, `permission_error`, `rate_limit_error`, `insufficient_quota`, `server_error`",
      ),
    param: z.string().nullable().describe("The invalid field"),
    code: z.string().describe("A more specific cause, such as `model_not_found`"),
    request_id: z.string().describe("Also in `X-Request-ID`"),
  }),
});

/** The headers of responses, by their name in the components of a document. */
const HEADERS = {
  "X-Request-ID": [
    "string",
    "The caller's own request id, or a new one; quote it when you report a problem",
    "req_7f3k",
  ],
  "Retry-After": ["integer", "Seconds to wait; absent when a quota is exceeded", 2],
  "ratelimit-limit": ["integer", "Sustained requests per minute", 600],
  "ratelimit-remaining": ["integer", "Requests that are currently allowed", 399],
  "ratelimit-reset": ["integer", "Seconds until the full burst is available", 1],
  RateLimit: [
    "string",
    "What is left, in the format of the IETF draft: `r` requests, `t` seconds until reset",
    '"default";r=399;t=1',
  ],
  "RateLimit-Policy": ["string", "The limits that apply: `q` requests in `w` seconds", '"default";q=600;w=60'],
  "Idempotency-Replayed": ["string", "`true` when an earlier request with this key created the resource", "true"],
  "Set-Cookie": [
    "string",
    "The refresh cookie: HttpOnly, SameSite=Strict, only for `/v1/auth`, Secure with https",
    "svc_refresh=…; Path=/v1/auth; HttpOnly; SameSite=Strict",
  ],
  "X-Ignored-Ids": ["integer", "The number of reported ids that cannot be offer ids; absent if none", 1],
  Location: ["string", "The landing page with `svc_click_id`", "https://shop.example/shoes?svc_click_id=0f9c"],
} as const satisfies Record<string, readonly ["string" | "integer", string, unknown]>;

export type HeaderName = keyof typeof HEADERS;

export const RATE_HEADERS = [
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "RateLimit",
  "RateLimit-Policy",
] as const satisfies HeaderName[];

interface Failure {
  name: string;
  description: string;
  /** One example per code and cause. */
  examples: { code: ErrorCode; message: string; param?: string; retry_after?: number; details?: object }[];
}

const FAILURES: Readonly<Record<number, Failure>> = {
  400: {
    name: "InvalidRequest",
    description: "The request is not valid; `param` names the field",
    examples: [
      { code: "invalid_request", message: "limit: expected at most 1000.", param: "limit" },
      {
        code: "invalid_request",
        message: "This cursor has expired; start again without a cursor.",
        param: "cursor",
        details: { reason: "cursor_expired" },
      },
    ],
  },
  401: {
    name: "Unauthorized",
    description: "The key or token is missing, wrong, expired or revoked",
    examples: [{ code: "unauthorized", message: "Send a valid key." }],
  },
  403: {
    name: "Forbidden",
    description: "The key or role does not have the scope",
    examples: [{ code: "forbidden", message: "This needs the scope ads:write.", details: { scope: "ads:write" } }],
  },
  404: {
    name: "NotFound",
    description: "The resource does not exist, or it belongs to another tenant",
    examples: [{ code: "not_found", message: 'No channel has the id "chn_x".' }],
  },
  409: {
    name: "Conflict",
    description:
      "The state of the resource does not allow this, or a request with the same Idempotency-Key is still running",
    examples: [{ code: "conflict", message: "A request with this Idempotency-Key is still running.", retry_after: 1 }],
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is too large",
    examples: [{ code: "payload_too_large", message: "The body is larger than 1 MiB." }],
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The media type is not accepted",
    examples: [{ code: "unsupported_media_type", message: "Send the body as application/json." }],
  },
  422: {
    name: "Unprocessable",
    description: "The Idempotency-Key was sent before with another body",
    examples: [{ code: "unprocessable", message: "This Idempotency-Key was used with another body." }],
  },
  429: {
    name: "TooManyRequests",
    description: "Too many requests (`rate_limited`: wait), or a quota is exceeded (`quota_exceeded`: do not retry)",
    examples: [
      { code: "rate_limited", message: "Too many requests; retry in 2 seconds.", retry_after: 2 },
      { code: "quota_exceeded", message: "A project has at most 100 active keys; revoke one first." },
    ],
  },
  500: {
    name: "Internal",
    description: "A server error; quote the request id when you report it",
    examples: [{ code: "internal", message: "Something went wrong on our side." }],
  },
  503: {
    name: "Unavailable",
    description: "A database or another engine is unavailable; retry after the given number of seconds",
    examples: [{ code: "unavailable", message: "The database is temporarily unavailable.", retry_after: 1 }],
  },
};
const RETRYABLE: ReadonlySet<number> = new Set([409, 429, 503]);

/** The responses of one document; shared ones are stored once, in `components`. */
export class SharedResponses {
  readonly #registry: Registry;
  readonly #known = new Set<string>();

  constructor(registry: Registry) {
    this.#registry = registry;
    registry.register("Error", ErrorSchema);
  }

  /** References to headers. */
  headers(names: readonly HeaderName[]): Record<string, { $ref: string }> {
    return Object.fromEntries(
      names.map((name) => {
        const [type, description, example] = HEADERS[name];
        this.#once(`header ${name}`, () =>
          this.#registry.registerComponent("headers", name, { description, schema: { type }, example }),
        );
        return [name, { $ref: `#/components/headers/${name}` }];
      }),
    );
  }

  /** References to error responses; `prefix` separates those with rate-limit headers from those without. */
  failures(statuses: readonly number[], { prefix = "", headers, shape }: FailureOptions): Responses {
    return Object.fromEntries(
      statuses.map((status) => {
        const failure = FAILURES[status];
        if (!failure) throw new Error(`No description of the status ${status}.`);
        const name = `${prefix}${shape ? "OpenAi" : ""}${failure.name}`;
        const all: HeaderName[] = [...headers, ...(RETRYABLE.has(status) ? (["Retry-After"] as const) : [])];
        const media = shape ? this.#openAiMedia(failure) : mediaOf(failure);
        this.#once(`response ${name}`, () =>
          this.#registry.registerComponent("responses", name, {
            description: failure.description,
            headers: this.headers(all),
            content: { "application/json": media },
          }),
        );
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  #openAiMedia(failure: Failure) {
    this.#once("schema OpenAiError", () => this.#registry.register("OpenAiError", OpenAiErrorSchema));
    const examples = failure.examples.map(({ code, message, param, retry_after: retryAfterSeconds, details }) => {
      const extras = { ...(param && { param }), ...(retryAfterSeconds && { retryAfterSeconds }) };
      const error = new ServiceError(code, message, { ...extras, ...(details && { details: { ...details } }) });
      return [code, { value: openAiErrorOf(error, "req_7f3k") }] as const;
    });
    return { schema: { $ref: "#/components/schemas/OpenAiError" }, examples: Object.fromEntries(examples) };
  }

  #once(what: string, register: () => unknown): void {
    if (this.#known.has(what)) return;
    this.#known.add(what);
    register();
  }
}

interface FailureOptions {
  prefix?: string;
  headers: readonly HeaderName[];
  /** The shape of errors of the operation, if it has one of its own. */
  shape?: "openai" | undefined;
}

const mediaOf = (failure: Failure) => ({
  schema: { $ref: "#/components/schemas/Error" },
  examples: examplesOf(failure),
});

const examplesOf = ({ examples }: Failure) =>
  Object.fromEntries(
    examples.map(({ code, message, ...rest }) => {
      const reason = (rest.details as { reason?: string } | undefined)?.reason;
      return [reason ?? code, { value: { error: { code, message, request_id: "req_7f3k", ...rest } } }];
    }),
  );
