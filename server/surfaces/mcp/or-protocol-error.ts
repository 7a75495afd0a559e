import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ServiceError } from "../../kernel/errors";
import { asServiceError } from "../../operation/as-service-error";
import { errorBody } from "../http/error-response";
import type { Exchange } from "./exchange";

/** Where the protocol has no result for failures: an error with the code of JSON-RPC, and svc's error as its data. */
export async function orProtocolError<T>({ meta }: Pick<Exchange, "meta">, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof ProtocolError) throw failure;
    const error = asServiceError(failure);
    const code = isOfInput(error) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, error.message, errorBody(error, meta.requestId).error);
  }
}

const isOfInput = ({ code }: ServiceError): boolean => code !== "internal" && code !== "unavailable";
