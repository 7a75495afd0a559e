import type { Counters } from "../../engines/counters/counters";
import type { Prisma, PrismaClient } from "../../engines/postgres/generated/client";

/**
 * A client whose every statement belongs to `tx`: what a verb writes through it stands or falls with that transaction.
 * The verb's own transactions become savepoints, so that it can refuse and go on as it would elsewhere.
 */
export const joined = (tx: Prisma.TransactionClient): PrismaClient =>
  withOwn(tx as PrismaClient, {
    $transaction: ((work: (tx: Prisma.TransactionClient) => Promise<unknown>) =>
      inSavepoint(tx, () => work(tx))) as PrismaClient["$transaction"],
  });

/** Runs `work` inside a transaction; when it fails, its writes alone are undone. */
export async function inSavepoint<T>(tx: Prisma.TransactionClient, work: () => Promise<T>): Promise<T> {
  await tx.$executeRaw`SAVEPOINT work`;
  try {
    const result = await work();
    await tx.$executeRaw`RELEASE SAVEPOINT work`;
    return result;
  } catch (failure) {
    // On a broken connection this fails as well; what broke it says more.
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT work`.catch(() => undefined);
    throw failure;
  }
}

/** Counters that keep what is published until `send`: nobody may hear of a change that is not committed yet. */
export function heldBack(counters: Counters): { counters: Counters; send(): Promise<void> } {
  const messages: [topic: string, message: string][] = [];
  return {
    counters: withOwn(counters, {
      publish: async (topic, message) => {
        messages.push([topic, message]);
      },
    }),
    async send() {
      // The change stands whether or not the others hear of it now.
      await Promise.allSettled(messages.map(([topic, message]) => counters.publish(topic, message)));
    },
  };
}

/** The object, with some methods replaced. */
const withOwn = <T extends object>(target: T, own: Partial<T>): T =>
  new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
