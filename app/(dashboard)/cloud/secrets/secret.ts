import type { Outputs } from "../../../trpc/client";

export type Secret = Outputs["cloud"]["secrets"]["get"];
export type ListedSecret = Outputs["cloud"]["secrets"]["list"]["data"][number];

/** Who can use a secret, as people read it. */
export const placeText = (projectId: string | null, nameOf: (id: string) => string): string =>
  projectId === null ? "All projects" : nameOf(projectId);
