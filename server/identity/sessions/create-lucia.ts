import { Lucia, TimeSpan } from "lucia";
import type { SessionAttributes, UserAttributes } from "../identity-ctx";
import { type AdapterOptions, SessionAdapter } from "./lucia-adapter";

export const SESSION_COOKIE = "svc_session";
const SESSION_LIFE_DAYS = 30;

/** Sessions of 30 days, extended after half of that time, in an httpOnly cookie that is Secure with https. */
export const createLucia = ({ publicUrl, ...adapter }: AdapterOptions & { publicUrl: string }) =>
  new Lucia(new SessionAdapter(adapter), {
    sessionExpiresIn: new TimeSpan(SESSION_LIFE_DAYS, "d"),
    sessionCookie: {
      name: SESSION_COOKIE,
      attributes: { secure: publicUrl.startsWith("https:"), sameSite: "lax", path: "/" },
    },
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  });

export type SvcLucia = ReturnType<typeof createLucia>;

declare module "lucia" {
  interface Register {
    Lucia: SvcLucia;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}
