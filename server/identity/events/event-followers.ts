import type { Event as EventRow, PrismaClient } from "../../engines/postgres/generated/client";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { Clock } from "../../kernel/clock";
import type { Actor } from "../../operation/actor";
import { visibleEvents } from "./event";

/** Events of one look; the next look follows at once while there are more. */
const BATCH = 500;

interface Follower {
  actor: Actor;
  /** The sequence of the last event that it was told of or that is older than it. */
  after: bigint;
  onEvent: (event: EventRow) => void;
}

interface Parts {
  db: PrismaClient;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add" | "wake">;
}

/**
 * Tells those who follow them of events, in every process and as soon as they are committed: the wake-up of deliveries to
 * webhooks is theirs too. Without a follower nothing is read.
 */
export class EventFollowers {
  readonly #db: PrismaClient;
  readonly #clock: Clock;
  readonly #alarms: Parts["alarms"];
  readonly #followers = new Set<Follower>();

  constructor({ db, clock, alarms }: Parts) {
    this.#db = db;
    this.#clock = clock;
    this.#alarms = alarms;
    alarms.add({
      topic: "event_followers",
      wokenBy: ["webhooks"],
      purpose: "tell agents of events",
      run: () => this.#tellAll(),
    });
  }

  get count(): number {
    return this.#followers.size;
  }

  /**
   * Calls `onEvent` with each event that the actor may see and that is committed after this call, in the order of commits,
   * until the returned function is called.
   */
  async follow(actor: Actor, onEvent: (event: EventRow) => void): Promise<() => void> {
    const newest = await this.#db.event.findFirst({
      where: { tenantId: actor.tenantId },
      orderBy: { sequence: "desc" },
      select: { sequence: true },
    });
    const follower = { actor, onEvent, after: newest?.sequence ?? 0n };
    this.#followers.add(follower);
    // A commit between the query and this line has woken nobody here.
    this.#alarms.wake("event_followers");
    return () => void this.#followers.delete(follower);
  }

  /** Resolves to true if more events wait. */
  async #tellAll(): Promise<boolean> {
    const read = await Promise.all([...this.#followers].map((follower) => this.#tell(follower)));
    return read.includes(BATCH);
  }

  async #tell(follower: Follower): Promise<number> {
    const { actor, after, onEvent } = follower;
    const events = await this.#db.event.findMany({
      where: { AND: [visibleEvents(actor, this.#clock), { sequence: { gt: after } }] },
      orderBy: { sequence: "asc" },
      take: BATCH,
    });
    for (const event of events) {
      follower.after = event.sequence;
      if (this.#followers.has(follower)) onEvent(event);
    }
    return events.length;
  }
}
