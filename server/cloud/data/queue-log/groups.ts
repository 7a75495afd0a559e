import { Group } from "./group";
import { Heap } from "./heap";

/**
 * The groups of a queue. Which of them can be received from is maintained change by change: a ready group is found in
 * logarithmic time however many groups there are. Both heaps may contain outdated places, which are skipped.
 */
export class Groups {
  readonly #groups = new Map<string | undefined, Group>();
  /** By the position of the first message, so that the oldest is received first. */
  readonly #ready = new Heap<Group>();
  /** By the time at which the first message can be received. */
  readonly #sleeping = new Heap<Group>();

  get size(): number {
    return this.#groups.size;
  }

  of(id: string | undefined): Group {
    const known = this.#groups.get(id);
    if (known) return known;
    const group = new Group(id);
    this.#groups.set(id, group);
    return group;
  }

  /** To be called after each change of a group's first message or of what it has in flight. */
  place(group: Group, now: number): void {
    const { first } = group;
    // An outdated place in a heap may name a group that was deleted, and has a successor of the same id.
    if (group.isEmpty && this.#groups.get(group.id) === group) this.#groups.delete(group.id);
    if (!first || group.inFlight > 0) return;
    if (first.visibleFrom > now) {
      if (group.wakesAt === first.visibleFrom) return;
      group.wakesAt = first.visibleFrom;
      this.#sleeping.push(first.visibleFrom, group);
    } else if (group.readyAt !== first.position) {
      group.readyAt = first.position;
      this.#ready.push(first.position, group);
    }
  }

  /** Removes the ready group with the oldest message; it must be placed again. */
  takeReady(now: number): Group | undefined {
    this.#wake(now);
    for (let top = this.#ready.pop(); top; top = this.#ready.pop()) {
      const group = top.item;
      if (group.readyAt !== top.key) continue;
      group.readyAt = undefined;
      if (group.inFlight > 0 || group.first?.position !== top.key) continue;
      if (group.first.visibleFrom <= now) return group;
      this.place(group, now);
    }
    return undefined;
  }

  hasReady(now: number): boolean {
    const group = this.takeReady(now);
    if (group) this.place(group, now);
    return group !== undefined;
  }

  /** When the next group with a delayed first message can be received from. */
  nextWake(): number | undefined {
    for (let top = this.#sleeping.peek(); top; top = this.#sleeping.peek()) {
      if (top.item.wakesAt === top.key && top.item.inFlight === 0 && top.item.first?.visibleFrom === top.key) {
        return top.key;
      }
      this.#popSleeping();
    }
    return undefined;
  }

  clear(): void {
    this.#groups.clear();
    this.#ready.clear();
    this.#sleeping.clear();
  }

  #wake(now: number): void {
    for (let top = this.#sleeping.peek(); top && top.key <= now; top = this.#sleeping.peek()) {
      this.#popSleeping();
      this.place(top.item, now);
    }
  }

  #popSleeping(): void {
    const top = this.#sleeping.pop();
    if (top && top.item.wakesAt === top.key) top.item.wakesAt = undefined;
  }
}
