import type { Hasher } from "../identity-ctx";
import type { Part } from "../part";
import { createHasher } from "./hasher";
import { userRoutes } from "./users.routes";

interface Needs {
  /** By default it is created here. */
  hasher?: Hasher | undefined;
}

/** People and their addresses. */
export const usersPart: Part<Needs, { hasher: Hasher }, typeof userRoutes> = {
  name: "users",
  routes: [userRoutes],
  start: async ({ hasher }) => ({ gives: { hasher: hasher ?? (await createHasher()) } }),
};
