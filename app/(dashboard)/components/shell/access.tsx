"use client";

import { Lock } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import type { Scope } from "../../../../server/operation/actor";
import { EmptyState } from "../../../components/ui/empty-state";
import { useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../page-header";
import { ROW_LINK_STYLE } from "../row-link-style";

const AccessContext = createContext<ReadonlySet<Scope>>(new Set());

/** The scopes of the user's role; the server checks them again on every call. */
export const AccessProvider = ({ scopes, children }: { scopes: Scope[]; children: ReactNode }) => (
  <AccessContext value={new Set(scopes)}>{children}</AccessContext>
);

/** The scopes of the user's role. */
export const useScopes = (): ReadonlySet<Scope> => use(AccessContext);

export const useHasScope = (scope: Scope): boolean => use(AccessContext).has(scope);

/** "pods" of "pods:read". */
export type ScopeFamily = Scope extends infer S ? (S extends `${infer Name}:read` ? Name : never) : never;

/** Whether the user may change what the scopes of a family are about. */
export function useCanWrite(family: ScopeFamily): boolean {
  const scopes: ReadonlySet<string> = useScopes();
  return scopes.has(`${family}:write`);
}

interface RequireScopeProps {
  /** One of several is enough. */
  scope: Scope | readonly Scope[];
  /** The page's title, shown with or without access. */
  title: string;
  /** What the page shows, as a phrase: "who changed what". */
  what: string;
  children: ReactNode;
}

/** Renders a page for users with the scope, and for others a notice with the people who can grant it. */
export function RequireScope({ scope, title, what, children }: RequireScopeProps) {
  const scopes = useScopes();
  if ([scope].flat().some((one) => scopes.has(one))) return children;
  return (
    <>
      <PageHeader title={title} />
      <EmptyState icon={Lock} title="Your role does not include this page">
        Owners and admins can see {what}. <AdminContacts />
      </EmptyState>
    </>
  );
}

const ADMINS_MAX = 3;

/** The people who can change a role, by name. */
export function AdminContacts() {
  const members = useQueryOf("listMembers");
  const admins = (members.data ?? []).filter(({ role }) => role !== "member").slice(0, ADMINS_MAX);
  if (admins.length === 0) return "Ask an owner of your team for access.";
  return (
    <>
      Ask{" "}
      {admins.map(({ user_id, email }, i) => (
        <span key={user_id}>
          {i > 0 && (i === admins.length - 1 ? " or " : ", ")}
          <a href={`mailto:${email}`} className={`${ROW_LINK_STYLE} underline`}>
            {email}
          </a>
        </span>
      ))}
      .
    </>
  );
}
