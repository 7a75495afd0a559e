import { ServiceError } from "../../kernel/errors";
import type { Actor, PersonActor, Role } from "./actor";

/** The person behind the actor; throws `forbidden` for keys, which never act on people. */
export function requirePerson(actor: Actor): PersonActor {
  if (actor.kind === "person") return actor;
  throw new ServiceError("forbidden", "Only a person who is logged in can do this, not an API key.");
}

/**
 * The person, when they may change the team: owners everything, admins all but what concerns `roles` that include
 * owner. Throws `forbidden` otherwise.
 */
export function requireTeamRole(actor: Actor, roles: readonly Role[] = []): PersonActor {
  const person = requirePerson(actor);
  if (person.role === "member") {
    throw new ServiceError("forbidden", "Only an owner or an admin can change the team.");
  }
  if (person.role !== "owner" && roles.includes("owner")) {
    throw new ServiceError("forbidden", "Only an owner can make, change or remove an owner.");
  }
  return person;
}
