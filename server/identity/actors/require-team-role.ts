import { ServiceError } from "../../kernel/errors";
import type { Actor, PersonActor, Role } from "../../operation/actor";

/** Returns the person behind the actor; throws `forbidden` for an API key, which cannot act on people. */
export function requirePerson(actor: Actor): PersonActor {
  if (actor.kind === "person") return actor;
  throw new ServiceError("forbidden", "Only a person who is logged in can do this, not an API key.");
}

/**
 * Returns the person if they may change the team: owners may change everyone, admins may not change `roles` that
 * include owner. Throws `forbidden` otherwise.
 */
export function requireTeamRole(actor: Actor, roles: readonly Role[] = []): PersonActor {
  const person = requirePerson(actor);
  if (person.role === "member") {
    throw new ServiceError("forbidden", "Only an owner or an admin can change the team.");
  }
  if (person.role !== "owner" && roles.includes("owner")) {
    throw new ServiceError("forbidden", "Only an owner can add, change or remove an owner.");
  }
  return person;
}
