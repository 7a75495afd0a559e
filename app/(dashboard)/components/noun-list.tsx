"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { type LucideIcon, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Scope } from "../../../server/operation/actor";
import { Button } from "../../components/ui/button";
import { cn } from "../../components/ui/cn";
import { EmptyState } from "../../components/ui/empty-state";
import { Link } from "../../components/ui/link";
import { PageHeader } from "./page-header";
import { PagedContent, type PagesOf } from "./paged-content";
import { RequireScope, useHasScope } from "./shell/access";
import { useMode } from "./shell/mode";
import { StatusFilter } from "./status-filter";
import { useUrlParams } from "./use-url-params";

/** Whether a dialog is open. */
export interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** What a page lists, for its texts. */
interface ListedNoun {
  title: string;
  description: string;
  /** One of them, such as "edge function". */
  noun: string;
  /** Default: the noun with an s. */
  plural?: string;
  icon: LucideIcon;
  /** What one is, for a list without any. */
  about: ReactNode;
  /** The page of the documentation about them. */
  docs?: string;
}

type ScopesOf<S extends Scope> = S extends `${infer Family}:write` ? Family : never;
type Scopes = ScopesOf<Scope>;

type PagesQuery<T> = UseInfiniteQueryResult<PagesOf<T>, unknown>;

interface NounListProps<T> extends ListedNoun {
  /** Of those who may see the list and create one. */
  scopes: Scopes;
  /** Loads the list; called only for those who may see it. */
  usePages: () => PagesQuery<T>;
  /** By which the list can be limited; `useChosenStatus` has the one that the address selects. */
  statuses?: readonly string[];
  /** Buttons beside the one that creates one. */
  actions?: ReactNode;
  /** The dialog that creates one. */
  dialog: (state: DialogState) => ReactNode;
  /** The table of what was loaded. */
  children: (rows: T[], query: PagesQuery<T>) => ReactNode;
}

/** The page of a noun: its list, loaded page by page, and the dialog that creates one. */
export const NounList = <T,>(props: NounListProps<T>) => (
  <RequireScope scope={`${props.scopes}:read`} title={props.title} what={`the ${pluralOf(props)}`}>
    <Listed {...props} />
  </RequireScope>
);

const pluralOf = ({ noun, plural = `${noun}s` }: Pick<ListedNoun, "noun" | "plural">): string => plural;

function Listed<T>({ scopes, usePages, statuses, actions, dialog, children, ...listed }: NounListProps<T>) {
  const [creating, setCreating] = useState(false);
  const query = usePages();
  const create = useHasScope(`${scopes}:write`) && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create {listed.noun}
    </Button>
  );
  const buttons = actions ? (
    <>
      {actions}
      {create}
    </>
  ) : (
    create
  );
  const noneYet = <NoneYet {...listed} create={create} />;
  return (
    <>
      <PageHeader title={listed.title} description={listed.description} actions={buttons} />
      {statuses ? (
        <WithStatus query={query} statuses={statuses} noneYet={noneYet} {...listed}>
          {children}
        </WithStatus>
      ) : (
        <PagedContent query={query} empty={noneYet}>
          {(rows) => children(rows, query)}
        </PagedContent>
      )}
      {dialog({ open: creating, onOpenChange: setCreating })}
    </>
  );
}

function NoneYet({ icon, about, docs, create, ...noun }: ListedNoun & { create: ReactNode }) {
  const { mode } = useMode();
  const plural = pluralOf(noun);
  return (
    <EmptyState icon={icon} title={`No ${plural} in ${mode} mode yet`} action={create}>
      {about}
      {docs && (
        <>
          {" "}
          <Link href={docs} className="underline underline-offset-2">
            How {plural} work
          </Link>
        </>
      )}
    </EmptyState>
  );
}

/** The status that the address selects; undefined: all. */
export function useChosenStatus<S extends string>(statuses: readonly S[]): S | undefined {
  const { params } = useUrlParams();
  return statuses.find((one) => one === params.get("status"));
}

interface WithStatusProps<T> extends ListedNoun, Pick<NounListProps<T>, "children"> {
  query: PagesQuery<T>;
  statuses: readonly string[];
  noneYet: ReactNode;
}

/** A list that can be limited to a status. */
function WithStatus<T>({ query, statuses, noneYet, children, ...noun }: WithStatusProps<T>) {
  const { change } = useUrlParams();
  const status = useChosenStatus(statuses);
  const isAny = query.data?.pages.some(({ data }) => data.length > 0);
  const empty =
    status === undefined ? noneYet : <NoneWith {...noun} status={status} onClear={() => change({ status: "" })} />;
  return (
    <div className="space-y-4">
      {(status !== undefined || isAny) && (
        <StatusFilter statuses={statuses} status={status} onChange={(chosen) => change({ status: chosen })} />
      )}
      <PagedContent query={query} empty={empty}>
        {(rows) => (
          <div className={cn(query.isPlaceholderData && "opacity-60 transition-opacity")}>{children(rows, query)}</div>
        )}
      </PagedContent>
    </div>
  );
}

interface NoneWithProps extends ListedNoun {
  status: string;
  onClear: () => void;
}

function NoneWith({ icon, status, onClear, ...noun }: NoneWithProps) {
  const { mode } = useMode();
  const plural = pluralOf(noun);
  const clear = (
    <Button variant="outline" onClick={onClear}>
      Clear filter
    </Button>
  );
  return (
    <EmptyState icon={icon} title={`No ${status} ${plural}`} action={clear}>
      No {plural} in {mode} mode have this status.
    </EmptyState>
  );
}
