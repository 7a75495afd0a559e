import type { ActorCtx } from "../../../identity/identity-ctx";
import type { ChatGateway } from "./gateway";

export interface GatewayCtx extends ActorCtx {
  /** The models of all upstreams. */
  gateway: ChatGateway;
}
