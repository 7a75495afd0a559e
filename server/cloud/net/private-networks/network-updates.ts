import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Runtime } from "../../../engines/runtime/runtime";
import { TaskQueue } from "../../../kernel/keyed-queue";
import { hostsOfNetwork } from "./hosts-of-network";
import { networksOfNode } from "./networks.sql";

export interface NetworkUpdatesCtx {
  sql: Pick<Pool, "query">;
  nodeId: string;
  log: Pick<Logger, "warn">;
}

/** The agent of a node may have been started again meanwhile, and then knows nothing. */
const REPEAT_MS = 5000;

/** Sends a node which names the pods of its networks have, and whether they reach public addresses. */
export class NetworkUpdates {
  #told = "";
  #toldAt = 0;
  #runtime: Runtime | undefined;
  readonly #looks = new TaskQueue();

  constructor(readonly ctx: NetworkUpdatesCtx) {}

  /**
   * Once per round, and with `repeats` before a pod starts in a network, whose node may have forgotten it: the pod finds
   * its own name and those of others. Looks follow each other, so that what was read first is applied first. A failure is
   * repeated in the next round.
   */
  look(runtime: Runtime, { repeats = false } = {}): Promise<void> {
    return this.#looks.run(() => this.#look(runtime, repeats));
  }

  async #look(runtime: Runtime, repeats: boolean): Promise<void> {
    if (!runtime.networks) return;
    const found = await networksOfNode(this.ctx.sql, this.ctx.nodeId);
    const states = found.map(({ id, hasEgress, pods }) => ({ id, hasEgress, hosts: hostsOfNetwork({ pods }) }));
    const text = JSON.stringify(states);
    const isLate = states.length > 0 && performance.now() - this.#toldAt > REPEAT_MS;
    if (text === this.#told && runtime === this.#runtime && !isLate && !repeats) return;
    try {
      await runtime.networks.apply(states);
      [this.#told, this.#toldAt, this.#runtime] = [text, performance.now(), runtime];
    } catch (err) {
      this.ctx.log.warn({ err }, "cannot send a node its private networks; the next round repeats it");
    }
  }
}
