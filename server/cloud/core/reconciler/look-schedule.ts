import type { Families } from "../kinds/families";
import type { KindName } from "./reconciler.sql";

const DRIFT_SECONDS = 60;

/**
 * When this process tries to look at the resources at rest of each kind: once in each period of the kind. Periods begin
 * at multiples of their length, so that kinds with the same one are looked at together, in one statement.
 */
export class LookSchedule {
  /** The periods that were tried last. */
  readonly #tried = new Map<string, number>();

  /** The kinds whose period has not been tried, with its end. */
  due(families: Families, now: Date): (KindName & { nextAt: Date; key: string; period: number })[] {
    return kindsOf(families).flatMap(({ driftSeconds, ...name }) => {
      const ms = driftSeconds * 1000;
      const period = Math.floor(now.getTime() / ms);
      const key = `${name.plane}/${name.service}/${name.kind}`;
      if (this.#tried.get(key) === period) return [];
      return [{ ...name, key, period, nextAt: new Date((period + 1) * ms) }];
    });
  }

  /** Some kinds were looked at, or another process does so. */
  tried(kinds: readonly { key: string; period: number }[]): void {
    for (const { key, period } of kinds) this.#tried.set(key, period);
  }

  /** How long it is until a period begins, in milliseconds; undefined: there are no kinds. */
  msUntilNext(families: Families, now: Date): number | undefined {
    const waits = kindsOf(families).map(
      ({ driftSeconds }) => driftSeconds * 1000 - (now.getTime() % (driftSeconds * 1000)),
    );
    return waits.length === 0 ? undefined : Math.min(...waits);
  }
}

const kindsOf = (families: Families): (KindName & { driftSeconds: number })[] =>
  families
    .list()
    .flatMap(({ plane, service, kinds }) =>
      Object.entries(kinds).map(([kind, { driftSeconds = DRIFT_SECONDS }]) => ({ plane, service, kind, driftSeconds })),
    );
