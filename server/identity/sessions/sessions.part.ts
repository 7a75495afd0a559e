import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import type { AccountCtx } from "../identity-ctx";
import type { Part } from "../part";
import { createLucia } from "./create-lucia";
import { sessionRoutes } from "./sessions.routes";

interface Needs {
  db: PrismaClient;
  clock: Clock;
  publicUrl: string;
}

/** Log-ins of browsers. */
export const sessionsPart: Part<Needs, Pick<AccountCtx, "lucia">, typeof sessionRoutes> = {
  name: "sessions",
  routes: [sessionRoutes],
  start: ({ db, clock, publicUrl }) => ({ gives: { lucia: createLucia({ db, clock, publicUrl }) } }),
};
