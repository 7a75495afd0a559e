import { ClientLimit, type ClientLimitOptions } from "../../../identity/client-limit";
import { SharedAmount } from "../../../kernel/shared-amount";

/** Of all ports of a process, of which one tenant alone gets a third. */
const CONNECTIONS_MAX = 2048;
const TENANT_OF_FREE = 1 / 2;

/** Counts the connections to public ports. */
export class PortConnections {
  readonly #all: SharedAmount;
  readonly #clients: ClientLimit;

  constructor(perAddress: ClientLimitOptions, max = CONNECTIONS_MAX) {
    this.#all = new SharedAmount(max);
    this.#clients = new ClientLimit(perAddress);
  }

  /** Counts a connection to a port of a tenant; the result ends that. undefined: there are too many. */
  open(tenantId: string, address: string): (() => void) | undefined {
    const leave = this.#clients.enter(address);
    if (!leave) return undefined;
    const holders = [{ key: tenantId, ofFree: TENANT_OF_FREE }];
    if (!this.#all.take(holders, 1)) {
      leave();
      return undefined;
    }
    return () => {
      leave();
      this.#all.release(holders, 1);
    };
  }
}
