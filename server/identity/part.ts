import type { MinuteTasks, Tasks } from "../engines/jobs/start-jobs";
import type { StopStack } from "../kernel/stop-stack";
import type { EventKind } from "../operation/event-kind";
import type { QuotaDefinition } from "../operation/quota";
import type { RouteGroup } from "../operation/route";
import type { Tool } from "../operation/tool";

/** What a part that runs adds to the process. */
export interface Work {
  /** Jobs by name; `crontab` and `everyMinute` say when they run. */
  tasks?: Tasks;
  /** Lines in graphile-worker's crontab format, in UTC. */
  crontab?: readonly string[];
  everyMinute?: MinuteTasks;
}

export interface Started<Gives> extends Work {
  /** What operations and the parts after it can use. */
  gives: Gives;
  /** Finishes accepted work, then ends. */
  stop?: () => unknown;
}

/**
 * What a noun contributes to its product. `Needs` is what it uses of the process and of the parts before it, `Group` the
 * exact type of its groups of routes.
 */
export interface Part<Needs, Gives, Group extends RouteGroup = never> {
  name: string;
  routes?: readonly Group[];
  tools?: readonly Tool[];
  eventKinds?: readonly EventKind[];
  quotas?: readonly QuotaDefinition[];
  start?: (needs: Needs) => Started<Gives> | Promise<Started<Gives>>;
}

/** A part whose work gives nothing to others. */
export type QuietPart<Needs, Group extends RouteGroup = never> = Part<Needs, object, Group>;

/** What the operations of a list of parts name in their contexts, besides the actor and what belongs to one request. */
export type NamedContext<List extends { routes: readonly RouteGroup[] }> = Omit<
  Joined<List["routes"][number]["endpoints"][number]["operation"]["run"]>,
  "actor" | "request" | "session"
>;

/** The intersection of the contexts of operations. */
type Joined<Run> = (Run extends (ctx: infer Ctx, ...rest: never[]) => unknown ? (ctx: Ctx) => void : never) extends (
  ctx: infer All,
) => void
  ? All
  : never;

type AnyPart = Part<never, object, RouteGroup>;

interface StartedParts<Ctx> {
  /** What the process and all parts give. */
  ctx: Ctx;
  tasks: Tasks;
  crontab: string;
  everyMinute: MinuteTasks;
}

/**
 * The parts of a product in the order in which they start: each uses `Process`, `Base` and what the parts before it give.
 * The context of operations has `Base` and what parts give; `Process` is only for the start, such as the settings.
 */
export class PartList<
  Process extends object,
  Base extends object,
  Given extends object = object,
  Groups extends RouteGroup = never,
> {
  readonly #parts: readonly AnyPart[];

  constructor(parts: readonly AnyPart[] = []) {
    this.#parts = parts;
  }

  /** The list with one more part; does not compile if the part needs something that nothing before it gives. */
  with<Gives extends object = object, Group extends RouteGroup = never>(
    part: Part<Process & Base & Given, Gives, Group>,
  ): PartList<Process, Base, Given & Gives, Groups | Group> {
    return new PartList([...this.#parts, part as AnyPart]);
  }

  get routes(): readonly Groups[] {
    return this.#parts.flatMap(({ routes = [] }) => routes as readonly Groups[]);
  }

  get tools(): readonly Tool[] {
    return this.#parts.flatMap(({ tools = [] }) => tools);
  }

  get eventKinds(): readonly EventKind[] {
    return this.#parts.flatMap(({ eventKinds = [] }) => eventKinds);
  }

  get quotas(): readonly QuotaDefinition[] {
    return this.#parts.flatMap(({ quotas = [] }) => quotas);
  }

  /** Starts the parts in order; each is pushed to `stops` as soon as it runs. */
  async start(process: Process, base: Base, stops: StopStack): Promise<StartedParts<Base & Given>> {
    const ctx: object = { ...base };
    const work: Work[] = [];
    for (const { name, start } of this.#parts) {
      if (!start) continue;
      const { gives, stop, ...more } = await start({ ...process, ...ctx } as never);
      if (stop) stops.push(name, stop);
      Object.assign(ctx, gives);
      work.push(more);
    }
    return {
      ctx: ctx as Base & Given,
      tasks: Object.assign({}, ...work.map(({ tasks }) => tasks)) as Tasks,
      crontab: work.flatMap(({ crontab = [] }) => crontab).join("\n"),
      everyMinute: Object.assign({}, ...work.map(({ everyMinute }) => everyMinute)) as MinuteTasks,
    };
  }
}
