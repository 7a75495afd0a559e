import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import type { Scope } from "../../../server/operation/actor";
import { QueryContent } from "../../components/query-content";
import { Badge } from "../../components/ui/badge";
import { useTRPC } from "../../trpc/client";
import { failureOf } from "../../trpc/failure";
import { refreshEvery } from "../../trpc/query-client";
import { useProjects } from "../account/api-keys/use-projects";
import { ProjectName } from "./data-table";
import { PageHeader } from "./page-header";
import { RequireScope } from "./shell/access";
import { type Mode, useFollowMode } from "./shell/mode";

interface Shown {
  mode: Mode;
  name?: string;
  /** Null: of all projects. */
  project_id?: string | null;
}

interface NounPageProps<T extends Shown, E, K extends QueryKey> {
  id: string;
  /** What it is, such as "Edge function": the title until its name is known. */
  noun: string;
  /** The list that it is in. */
  list: { href: string; label: string };
  /** The list with the filter that has it; default: the list. */
  listOf?: (shown: T) => string;
  /** Of those who may see it; one of several is enough. */
  scope: Scope | readonly Scope[];
  /** What the page shows, for those who may not see it; default: "the edge functions", after the list. */
  what?: string;
  query: (trpc: ReturnType<typeof useTRPC>) => UseQueryOptions<T, E, T, K>;
  /** How soon it is read again; undefined: it is not known yet. Default: only when it was changed here. */
  refreshMs?: (shown: T | undefined) => number;
  /** Default: its name. */
  titleOf?: (shown: T) => string;
  /** Its state and buttons, beside its mode. */
  actions?: (shown: T) => ReactNode;
  /** Instead of what was last known of it, once it does not exist any more. */
  gone?: (last: T) => ReactNode;
  /** `readAt` is when it was read, in milliseconds since 1970. */
  children: (shown: T, readAt: number) => ReactNode;
}

/** The page of one thing: what it is called, where it is, its mode, and its parts below. */
export const NounPage = <T extends Shown, E, K extends QueryKey>(props: NounPageProps<T, E, K>) => (
  <RequireScope scope={props.scope} title={props.noun} what={props.what ?? `the ${props.list.label.toLowerCase()}`}>
    <Page {...props} />
  </RequireScope>
);

function Page<T extends Shown, E, K extends QueryKey>(props: NounPageProps<T, E, K>) {
  const { id, noun, list, listOf, titleOf = ({ name = noun }) => name, actions, gone, children } = props;
  const { refreshMs } = props;
  const options = props.query(useTRPC());
  const query = useQuery(
    refreshMs
      ? { ...options, refetchInterval: ({ state }) => refreshEvery(refreshMs(state.data))({ state }) }
      : options,
  );
  const { data: shown } = query;
  const isGone = gone !== undefined && query.error !== null && failureOf(query.error).code === "not_found";
  useFollowMode(shown && { id, mode: shown.mode });
  return (
    <>
      <PageHeader
        back={{ label: list.label, href: (shown && listOf?.(shown)) ?? list.href }}
        title={shown ? titleOf(shown) : noun}
        description={<Origin id={id} projectId={shown?.project_id} />}
        actions={
          shown &&
          !isGone && (
            <>
              <Badge tone={shown.mode === "live" ? "good" : "warn"}>{shown.mode}</Badge>
              {actions?.(shown)}
            </>
          )
        }
      />
      {shown && isGone ? (
        gone(shown)
      ) : (
        <QueryContent query={query}>
          {(one) => <Fragment key={id}>{children(one, query.dataUpdatedAt)}</Fragment>}
        </QueryContent>
      )}
    </>
  );
}

/** Its ID, and its project if the tenant has several. */
function Origin({ id, projectId }: { id: string; projectId: string | null | undefined }) {
  const { projects } = useProjects();
  return (
    <>
      {projectId !== undefined && projects.length > 1 && (
        <span className="mr-2">
          <ProjectName id={projectId} />
        </span>
      )}
      <span className="break-all font-mono text-xs">{id}</span>
    </>
  );
}
