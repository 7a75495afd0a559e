import type { Mode } from "../../../server/operation/actor";
import type { AccountScene, LoggedIn } from "../account-scene";
import type { TestApp } from "../app";

/** Of what events are marked with; a null project is that of something that belongs to the tenant. */
export interface Marks {
  mode: Mode;
  projectId: string | null;
}

export interface Prepared {
  input?: Record<string, unknown>;
  /** Default: the owner of the scene. */
  as?: LoggedIn;
  /** What the person's browser sends along. */
  cookies?: string;
  /** Default: the tenant, in live mode. */
  marks?: Marks;
}

/** What an operation changes, on every surface that has it. */
export interface Change {
  /** Its id. */
  operation: string;
  /** Of the entries that it leaves in audit logs, in order. */
  actions: string[];
  /** The types of the events that it records, in order; default: none. */
  events?: string[];
  prepare: (scene: AccountScene, test: TestApp) => Promise<Prepared> | Prepared;
}

export const inTest = (projectId: string | null = null): Marks => ({ mode: "test", projectId });

/** The input of something that is made in a project of its own. */
export async function inProject(s: AccountScene, fields: Record<string, unknown>): Promise<Prepared> {
  const { id } = await s.project();
  return { input: { ...fields, project: id }, marks: inTest(id) };
}

/** The input of something that is done to a thing; `name` is the parameter that names it. */
export const to = (
  { id, project_id }: { id: string; project_id?: string | null },
  fields: Record<string, unknown> = {},
  name = "id",
): Prepared => ({ input: { [name]: id, ...fields }, marks: inTest(project_id ?? null) });
