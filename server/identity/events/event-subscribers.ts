import type { Event as EventRow, PrismaClient } from "../../engines/postgres/generated/client";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { Actor } from "../../operation/actor";
import { seesEvent } from "./event";

/** Events of one query; the next one follows at once while there are more. */
const BATCH = 500;

interface Subscriber {
  actor: Actor;
  /** The sequence of the last event that was read for it. */
  after: bigint;
  onEvent: (event: EventRow) => void;
}

interface Parts {
  db: PrismaClient;
  alarms: Pick<StartedAlarms, "add" | "wake">;
}

/**
 * Notifies subscribers of events, in every process and as soon as they are committed: the wake-up of deliveries to
 * webhooks is theirs too. Without subscribers nothing is read.
 */
export class EventSubscribers {
  readonly #db: PrismaClient;
  readonly #alarms: Parts["alarms"];
  readonly #subscribers = new Set<Subscriber>();

  constructor({ db, alarms }: Parts) {
    this.#db = db;
    this.#alarms = alarms;
    alarms.add({
      topic: "event_subscribers",
      wokenBy: ["webhooks"],
      purpose: "notify agents of events",
      run: () => this.#notifyAll(),
    });
  }

  /**
   * Calls `onEvent` with each event that the actor may see and that is committed after this call, in the order of commits,
   * until the returned function is called.
   */
  async subscribe(actor: Actor, onEvent: (event: EventRow) => void): Promise<() => void> {
    const newest = await this.#db.event.findFirst({
      where: { tenantId: actor.tenantId },
      orderBy: { sequence: "desc" },
      select: { sequence: true },
    });
    const subscriber = { actor, onEvent, after: newest?.sequence ?? 0n };
    this.#subscribers.add(subscriber);
    // A commit between the query and this line has not woken this subscriber.
    this.#alarms.wake("event_subscribers");
    return () => void this.#subscribers.delete(subscriber);
  }

  /** One query for all subscribers. Resolves to true if more events wait. */
  async #notifyAll(): Promise<boolean> {
    const after = this.#positions();
    if (after.size === 0) return false;
    const events = await this.#db.event.findMany({
      where: { OR: [...after].map(([tenantId, sequence]) => ({ tenantId, sequence: { gt: sequence } })) },
      orderBy: { sequence: "asc" },
      take: BATCH,
    });
    for (const event of events) this.#notify(event);
    return events.length === BATCH;
  }

  #notify(event: EventRow): void {
    for (const subscriber of this.#subscribers) {
      const { actor, after, onEvent } = subscriber;
      if (actor.tenantId !== event.tenantId || event.sequence <= after) continue;
      subscriber.after = event.sequence;
      if (seesEvent(actor, event)) onEvent(event);
    }
  }

  /** The sequence, by tenant, after which a subscriber has not been notified yet. */
  #positions(): Map<string, bigint> {
    const positions = new Map<string, bigint>();
    for (const { actor, after } of this.#subscribers) {
      const known = positions.get(actor.tenantId);
      if (known === undefined || after < known) positions.set(actor.tenantId, after);
    }
    return positions;
  }
}
