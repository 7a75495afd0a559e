/** The code of a worker: ES modules by name. It must not change under the same id. */
export interface WorkerCode {
  mainModule: string;
  modules: Readonly<Record<string, string>>;
  /** `YYYY-MM-DD`. */
  compatibilityDate: string;
  compatibilityFlags?: readonly string[];
  /** Whether it may send requests to public addresses. */
  outbound: boolean;
  /** Whether `env.SVC` of the worker, a service, passes requests to `respond` of its calls. */
  asksSvc?: boolean;
}

/** One request to a worker. */
export interface WorkerCall {
  /** Workers of one group share a process, so that one of them can interrupt the others; tenants never share one. */
  group: string;
  /** Processes are shared among tenants. */
  tenant: string;
  /** Identifies code that never changes, such as a version. */
  worker: string;
  /** Called when a process does not know the worker yet. */
  load: () => Promise<WorkerCode>;
  request: WorkerRequest;
  /** From the call to the end of the response. */
  timeoutMs: number;
  /** Of the response. */
  bodyBytesMax: number;
  /** Receives the body of the response as it arrives, instead of the reply; the next part comes when it resolves. */
  receive?: (part: Buffer) => Promise<void>;
  /**
   * Returns what the worker receives for a request of it to `env.SVC`, while calls to it run. Nothing but this worker can
   * send one.
   */
  respond?: ((request: Buffer) => Promise<Buffer>) | undefined;
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

export interface WorkerRequest {
  method: string;
  /** Of the URL that the worker sees, default `http://worker`. */
  origin?: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

export interface WorkerReply {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

/**
 * Why a call has no response. `interrupted`: another worker of the group, or the end of svc, ended the process while this
 * call ran. Only `unavailable` and `busy` say that the worker did not begin.
 */
export type WorkerFailureReason =
  | "unavailable"
  | "busy"
  | "load_failed"
  | "threw"
  | "timed_out"
  | "blocked"
  | "out_of_memory"
  | "interrupted"
  | "response_too_large"
  | "aborted";

/** The message is a sentence for the tenant whose worker it is. */
export class WorkerFailure extends Error {
  constructor(
    readonly reason: WorkerFailureReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "WorkerFailure";
  }
}
