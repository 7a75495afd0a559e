import { PageQuery } from "../kernel/page";
import { IdText, ModeName } from "./wire-text";

/** Where a request looks or creates: a key's own mode and project, or those that a person names. */
export const ownerFields = {
  mode: ModeName.optional().describe("The mode of a person's request (default: test); a key always uses its own mode"),
  project: IdText.optional().describe(
    "The project of a person's request (default: the first one), by id or name; a key always uses its own project",
  ),
};

/** The owner by which a list is filtered; `things` is the plural of what it lists. */
export const ownerFilter = (things: string) => ({
  mode: ownerFields.mode,
  project: ownerFields.project.describe(`Only ${things} of this project, by its id or name`),
});

/** The input of a list that filters only by owner. */
export const ownerPage = (things: string) => ({ ...PageQuery.shape, ...ownerFilter(things) });
