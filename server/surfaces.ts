import type { AppCaller } from "./trpc/router";
import type { SessionView } from "./trpc/trpc";

/** What pages and route handlers may ask of the running server. They hold no server code, only this way to it. */
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
  /** The demo channel's publishable key, where there is a demo. */
  demo(): { browserKey: string } | undefined;
  publicUrl: string;
  signUpMode(): Promise<"open" | "invite">;
  isLoopback: boolean;
  /** Letters are sent, kept for the outbox page, or not written at all. */
  mailDelivery: "smtp" | "outbox" | "none";
}

const KEY = Symbol.for("svc.surfaces");
const store = globalThis as { [KEY]?: Surfaces };

/** The surfaces of this process. Bundles of pages are separate copies of this module, so it is found on globalThis. */
export function surfaces(): Surfaces {
  const running = store[KEY];
  if (!running) throw new Error("Pages run inside svc's own server: start it with npm start.");
  return running;
}

export function provideSurfaces(running: Surfaces): void {
  store[KEY] = running;
}

/** The server puts the client's address here, over whatever the client itself may have sent. */
export const PEER_ADDRESS_HEADER = "x-svc-peer-address";
