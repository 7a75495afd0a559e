import type { Adapter, DatabaseSession, DatabaseUser } from "lucia";
import type { Prisma, Session } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { sha256 } from "../../kernel/secrets";

export interface AdapterOptions {
  /** The transaction in which the session is created. */
  db: Pick<Prisma.TransactionClient, "session">;
  clock: Clock;
}

/**
 * Stores sessions with Prisma 7, which Lucia's own adapter does not support. Only the SHA-256 of a cookie's token is
 * stored, so that a copy of the table gives no access. Lucia uses the system clock: times are shifted to it and back.
 */
export class SessionAdapter implements Adapter {
  readonly #db: AdapterOptions["db"];
  readonly #clock: Clock;

  constructor({ db, clock }: AdapterOptions) {
    this.#db = db;
    this.#clock = clock;
  }

  async getSessionAndUser(token: string): Promise<[DatabaseSession | null, DatabaseUser | null]> {
    const row = await this.#db.session.findUnique({ where: { id: sha256(token) }, include: { user: true } });
    if (!row) return [null, null];
    const { id, email, emailVerifiedAt, createdAt } = row.user;
    return [this.#toLucia(row, token), { id, attributes: { email, emailVerifiedAt, createdAt } }];
  }

  /** Here `id` is the stored hash: only the browsers have the tokens. */
  async getUserSessions(userId: string): Promise<DatabaseSession[]> {
    const rows = await this.#db.session.findMany({ where: { userId } });
    return rows.map((row) => this.#toLucia(row, row.id));
  }

  async setSession({ id, userId, expiresAt, attributes }: DatabaseSession): Promise<void> {
    const { tenantId, createdAt, userAgent, addressHash } = attributes;
    await this.#db.session.create({
      data: {
        id: sha256(id),
        userId,
        expiresAt: this.#fromSystem(expiresAt),
        tenantId,
        createdAt,
        userAgent,
        addressHash,
      },
    });
  }

  /** Does not restore a session that was ended in the meantime. */
  async updateSessionExpiration(token: string, expiresAt: Date): Promise<void> {
    await this.#db.session.updateMany({
      where: { id: sha256(token) },
      data: { expiresAt: this.#fromSystem(expiresAt) },
    });
  }

  async deleteSession(token: string): Promise<void> {
    await this.#db.session.deleteMany({ where: { id: sha256(token) } });
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await this.#db.session.deleteMany({ where: { userId } });
  }

  async deleteExpiredSessions(): Promise<void> {
    await this.#db.session.deleteMany({ where: { expiresAt: { lte: this.#clock.now() } } });
  }

  #toLucia({ userId, expiresAt, tenantId, createdAt, userAgent, addressHash }: Session, id: string): DatabaseSession {
    const attributes = { tenantId, createdAt, userAgent, addressHash };
    return { id, userId, expiresAt: new Date(expiresAt.getTime() + this.#aheadMs()), attributes };
  }

  #fromSystem = (moment: Date): Date => new Date(moment.getTime() - this.#aheadMs());

  #aheadMs = (): number => Date.now() - this.#clock.now().getTime();
}
