import { parentPort } from "node:worker_threads";
import { ServiceError } from "../../../kernel/errors";
import { lowerThreadPriority } from "../../../kernel/lower-thread-priority";
import { type FromOtlpThread, refusalOf } from "./otlp-messages";
import { type ExportRequest, parseExport } from "./parse-export";

// The thread that reads export requests (see otlp-thread.ts).

lowerThreadPriority();
parentPort?.on("message", (request: ExportRequest) => parentPort?.postMessage(answer(request)));

function answer(request: ExportRequest): FromOtlpThread {
  try {
    return { parsed: parseExport(request) };
  } catch (failure) {
    if (failure instanceof ServiceError) return { refusal: refusalOf(failure) };
    throw failure;
  }
}
