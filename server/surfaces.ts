import type { PodCatalog } from "./cloud/compute/pods/pod-catalog";
import type { ListedEventKind } from "./identity/events/list-event-kinds";
import type { SessionView } from "./identity/identity-ctx";
import type { ShownTool } from "./surfaces/mcp/shown-tools";
import type { AppCaller } from "./surfaces/trpc/router";

/** What pages and route handlers may use of the running server, so that they need not import server code. */
export interface Surfaces {
  /** `/api/v1`: the offers API. */
  offers: (request: Request) => Promise<Response>;
  /** `/v1`: the platform API. */
  cloud: (request: Request) => Promise<Response>;
  trpc: {
    handle(request: Request): Promise<Response>;
    caller(headers: Headers): AppCaller;
  };
  session(headers: Headers): Promise<SessionView | undefined>;
  /** The publishable key of the demo channel, if there is a demo. */
  demo(): { browserKey: string } | undefined;
  publicUrl: string;
  /** Every kind of event, by type. */
  eventKinds: readonly ListedEventKind[];
  podCatalog: PodCatalog;
  agentTools: readonly ShownTool[];
  signUpMode(): Promise<"open" | "invite">;
  isLoopback: boolean;
  /** Emails are sent, kept for the outbox page, or not created. */
  mailDelivery: "smtp" | "outbox" | "none";
}

const KEY = Symbol.for("svc.surfaces");
const store = globalThis as { [KEY]?: Surfaces };

/**
 * Returns the surfaces of this process. Page bundles have separate copies of this module, so they are kept on
 * globalThis.
 */
export function surfaces(): Surfaces {
  const running = store[KEY];
  if (!running) throw new Error("Pages need the server of svc: start it with npm start.");
  return running;
}

export function provideSurfaces(running: Surfaces): void {
  store[KEY] = running;
}
