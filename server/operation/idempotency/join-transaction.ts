import { randomBytes } from "node:crypto";
import type { Counters } from "../../engines/counters/counters";
import type { Prisma, PrismaClient } from "../../engines/postgres/generated/client";

/**
 * A client whose statements all run in `tx`, so that they are committed or rolled back with it. Its own transactions
 * become savepoints, so that an operation can continue after one fails.
 */
export const joinTransaction = (tx: Prisma.TransactionClient): PrismaClient =>
  withOwn(tx as PrismaClient, {
    $transaction: ((work: (tx: Prisma.TransactionClient) => Promise<unknown>) =>
      inSavepoint(tx, () => work(tx))) as PrismaClient["$transaction"],
  });

/**
 * Runs `work` inside a transaction; if it fails, only its writes are rolled back. Each savepoint has its own name, so
 * that a nested or concurrent one does not release or roll back the work of another.
 */
export async function inSavepoint<T>(tx: Prisma.TransactionClient, work: () => Promise<T>): Promise<T> {
  const name = `work_${randomBytes(8).toString("hex")}`;
  await tx.$executeRawUnsafe(`SAVEPOINT ${name}`);
  try {
    const result = await work();
    await tx.$executeRawUnsafe(`RELEASE SAVEPOINT ${name}`);
    return result;
  } catch (failure) {
    // On a broken connection this fails too; the original error is more useful.
    await undo(tx, name).catch(() => undefined);
    throw failure;
  }
}

async function undo(tx: Prisma.TransactionClient, name: string): Promise<void> {
  await tx.$executeRawUnsafe(`ROLLBACK TO SAVEPOINT ${name}`);
  await tx.$executeRawUnsafe(`RELEASE SAVEPOINT ${name}`);
}

/** Delays published messages until `send`, so that no process is notified of a change before it is committed. */
export function deferPublishing(counters: Counters): { counters: Counters; send(): Promise<void> } {
  const messages: [topic: string, message: string][] = [];
  return {
    counters: withOwn(counters, {
      publish: async (topic, message) => {
        messages.push([topic, message]);
      },
    }),
    async send() {
      // The change is committed even if the messages are lost.
      await Promise.allSettled(messages.map(([topic, message]) => counters.publish(topic, message)));
    },
  };
}

/** Returns the object with some methods replaced. */
const withOwn = <T extends object>(target: T, own: Partial<T>): T =>
  new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
