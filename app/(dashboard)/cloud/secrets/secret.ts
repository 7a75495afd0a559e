import type { Outputs } from "../../../trpc/client";

export type Secret = Outputs["getSecret"];
export type ListedSecret = Outputs["listSecrets"]["data"][number];

/** Who can use a secret, as people read it. */
export const placeText = (projectId: string | null, nameOf: (id: string) => string): string =>
  projectId === null ? "All projects" : nameOf(projectId);
