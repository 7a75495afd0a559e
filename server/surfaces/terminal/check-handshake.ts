import { ServiceError } from "../../kernel/errors";
import { TERMINAL_PROTOCOL } from "./terminal-messages";

/** 16 bytes in base64 (RFC 6455 section 4.1). */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = "13";

/** Throws `invalid_request` for what is no request for a WebSocket with our protocol. */
export function checkHandshake({ method, headers }: Pick<Request, "method" | "headers">): void {
  const has = (name: string, value: string) => listOf(headers.get(name)).some((one) => one.toLowerCase() === value);
  if (method !== "GET" || !has("connection", "upgrade") || !has("upgrade", "websocket")) {
    throw invalid("upgrade", "this is a WebSocket; connect with a WebSocket client");
  }
  if (headers.get("sec-websocket-version") !== VERSION || !KEY.test(headers.get("sec-websocket-key") ?? "")) {
    throw invalid("sec-websocket-key", `expected a handshake of version ${VERSION} of the WebSocket protocol`);
  }
  if (!has("sec-websocket-protocol", TERMINAL_PROTOCOL)) {
    throw invalid("sec-websocket-protocol", `expected ${TERMINAL_PROTOCOL}; name it as a subprotocol`);
  }
}

const listOf = (header: string | null): string[] => (header ?? "").split(",").map((part) => part.trim());

const invalid = (param: string, what: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${what}.`, { param });
