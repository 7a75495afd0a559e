import { RuntimeError } from "../../../engines/runtime/runtime";
import { ServiceError } from "../../../kernel/errors";
import { notRunning } from "./reach-run";

/** Throws the error of a program that did not start: `conflict`, `unprocessable` (reason `start_failed`), `unavailable` (reason `not_supported`), or the cause. */
export function startFailure(cause: unknown): never {
  if (cause instanceof RuntimeError && cause.reason === "not_running") throw notRunning();
  if (cause instanceof RuntimeError && cause.reason === "start_failed") {
    throw new ServiceError("unprocessable", cause.message, { param: "command", details: { reason: "start_failed" } });
  }
  if (cause instanceof RuntimeError && cause.reason === "not_supported") {
    throw new ServiceError("unavailable", cause.message, { details: { reason: "not_supported" } });
  }
  throw cause;
}
