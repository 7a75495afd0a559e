import type { Pool } from "pg";
import type { ConfirmCaps, Counters } from "../../engines/counters/counters";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import { deleteEvents, eventsOfUser, forgetHolder, forgetUserOfOffers, offersHolding } from "./cap-events.sql";

/** Notifies every process of an erasure: the pseudonym of a user whose offers must be reloaded. */
export const ERASED_USERS = "erased_users";

interface EraseParts {
  sql: Pool;
  counters: Pick<Counters, "release" | "publish">;
}

/**
 * Deletes what frequency caps counted for a user, and the user of its offers. The counters go first: if they are
 * unavailable, a retry still finds all data. Offers go before events, so that no later impression adds one.
 */
export async function eraseCaps({ sql, counters }: EraseParts, user: string): Promise<void> {
  const release = (places: readonly ConfirmCaps[]) => Promise.all(places.map((place) => counters.release(place)));
  try {
    await eraseBy(
      () => offersHolding(sql, user),
      async (places) => {
        await release(places);
        await forgetHolder(
          sql,
          places.map(({ id }) => id),
        );
      },
    );
    await eraseBy(
      () => eventsOfUser(sql, user),
      async (places) => {
        await release(places);
        await deleteEvents(
          sql,
          user,
          places.map(({ id }) => id),
        );
      },
    );
    while (await forgetUserOfOffers(sql, user));
  } catch (failure) {
    throw unavailableOnConnectionError(failure);
  }
  await counters.publish(ERASED_USERS, user).catch(() => undefined);
}

/** Repeats page by page until nothing is left. */
async function eraseBy(
  find: () => Promise<ConfirmCaps[]>,
  erase: (places: readonly ConfirmCaps[]) => Promise<void>,
): Promise<void> {
  for (let places = await find(); places.length > 0; places = await find()) await erase(places);
}
