import type { Owner } from "../../../operation/actor";
import type { CodeEnv } from "../../compute/workers/code-env";
import type { Binding } from "./edge-fields";
import type { EdgeLogs } from "./edge-logs";
import type { Hosted } from "./hosted-response";
import type { SmokeRun } from "./smoke-run";

/** What a version runs with. */
export interface EdgeProgram {
  code: string;
  bindings: readonly Binding[];
  env: CodeEnv;
}

/** A function whose host responds, with the version that serves. */
export interface PublishedFunction extends Owner {
  id: string;
  version: number;
  bindings: readonly Binding[];
  env: CodeEnv;
}

export interface EdgeRequest {
  id: string;
  method: string;
  /** Scheme and host, as the client used them. */
  origin: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  signal: AbortSignal;
}

/** Receives a response as it arrives. */
export interface EdgeReceiver {
  /** Throws for headers that cannot be sent. */
  head(status: number, headers: readonly (readonly [name: string, value: string])[]): void;
  /** The next part comes when it resolves. */
  body(part: Buffer): Promise<void>;
  /** The response is complete; the code may go on. */
  end(): void;
}

/** What runs edge functions in this process. */
export interface EdgeRunner {
  readonly logs: Pick<EdgeLogs, "add">;
  /** The URL of the host of a function. */
  urlOf(slug: string): string | null;
  /** The slug that a `Host` header names; undefined for hosts of svc. */
  slugOf(host: string | undefined): string | undefined;
  /**
   * Tries a program, apart from those that serve. Throws `unprocessable` (reason `load_failed`), with the line, for code
   * that does not load, and `unavailable`.
   */
  smokeRun(owner: Owner, program: EdgeProgram): Promise<SmokeRun>;
  /** Creates an SQL database of a place unless there is one. Throws `quota_exceeded` and `unavailable`. */
  ensureDatabase(owner: Owner, name: string): Promise<void>;
  /** What responds at a host at this moment: the version that serves, or what svc itself sends; undefined: nothing. */
  find(slug: string): Promise<{ fn: PublishedFunction } | { hosted: Hosted } | undefined>;
  /**
   * Passes a request to a function. Throws a ServiceError if the response did not begin or is incomplete: `internal` with
   * the reason of the failure, `rate_limited` and `unavailable`.
   */
  run(fn: PublishedFunction, request: EdgeRequest, receiver: EdgeReceiver): Promise<void>;
}
