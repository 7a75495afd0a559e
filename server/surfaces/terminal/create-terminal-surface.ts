import type { IncomingMessage, ServerResponse } from "node:http";
import { WebSocketServer } from "ws";
import { ServiceError } from "../../kernel/errors";
import { requestMetaOf } from "../../operation/request-meta";
import type { StreamClient } from "../http/create-server";
import { errorResponse } from "../http/error-response";
import type { Surface } from "../http/mount-rows";
import { isWebSocket } from "../http/upgrade-requests";
import { createOpenTerminal, type OpenedTerminal, type OpenTerminalParts } from "./open-terminal";
import { relayTerminal } from "./relay-terminal";
import { TERMINAL_PROTOCOL } from "./terminal-messages";

export interface TerminalParts extends OpenTerminalParts {
  /** Aborted when svc stops, which closes every terminal. */
  stopping: AbortSignal;
}

export interface TerminalSurface {
  takes(incoming: IncomingMessage): boolean;
  /** Resolves with the status when the response or the terminal begins; never throws. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, client: StreamClient): Promise<number>;
  /** Adds the responses to requests for a terminal that are no handshakes of a WebSocket. */
  beside(surface: Surface): Surface;
}

const PATH = /^\/v1\/(?:pods|workspaces)\/[^/?]+\/terminal(?:\?|$)/;
/** What a person pastes is sent in several messages. */
const MESSAGE_BYTES_MAX = 64 * 1024;

/** Terminals of pods and workspaces, as WebSockets. A call is authorized before its connection becomes one, so that errors are responses. */
export function createTerminalSurface({ stopping, ...parts }: TerminalParts): TerminalSurface {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handleProtocols: () => TERMINAL_PROTOCOL,
  });
  const open = createOpenTerminal(parts);
  const accept = (incoming: IncomingMessage, head: Buffer, terminal: OpenedTerminal & { requestId: string }): void => {
    incoming.socket.once("close", terminal.session.close);
    sockets.handleUpgrade(incoming, incoming.socket, head, (client) =>
      relayTerminal(client, { ...terminal, stopping }),
    );
  };
  return {
    takes: (incoming) => isWebSocket(incoming) && PATH.test(incoming.url ?? ""),
    serve: async (incoming, outgoing, { address, head = Buffer.alloc(0) }) => {
      const request = requestOf(incoming);
      const meta = requestMetaOf(request, { address });
      const opened = await open(request, meta);
      if ("refused" in opened) {
        const { status, headers, body } = opened.refused;
        outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
        return status;
      }
      outgoing.detachSocket(incoming.socket);
      accept(incoming, head, { ...opened, requestId: meta.requestId });
      return 101;
    },
    beside: (surface) => ({
      fetch: async (request, peer) => {
        if (!PATH.test(new URL(request.url).pathname)) return surface.fetch(request, peer);
        const meta = requestMetaOf(request, peer);
        const opened = await open(request, meta);
        if ("refused" in opened) return new Response(opened.refused.body, opened.refused);
        opened.session.close();
        return errorResponse(new ServiceError("internal", "The connection is no WebSocket."), meta.requestId);
      },
    }),
  };
}

/** A web request without a body. */
function requestOf({ url = "/", rawHeaders }: IncomingMessage): Request {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
  return new Request(new URL(url, "http://svc"), { headers });
}
