"use client";

import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import type { Scope } from "../../../server/identity/actors/actor";
import { useTRPC } from "../../trpc/client";
import { PageHeader } from "../page-header";
import { Empty } from "../ui/empty";
import { ROW_LINK } from "../ui/row-link";

const AccessContext = createContext<ReadonlySet<Scope>>(new Set());

/** What the person may do here by their role; the server checks it again with every call. */
export const AccessProvider = ({ scopes, children }: { scopes: Scope[]; children: ReactNode }) => (
  <AccessContext value={new Set(scopes)}>{children}</AccessContext>
);

export const useMay = (scope: Scope): boolean => use(AccessContext).has(scope);

interface NeedsScopeProps {
  scope: Scope;
  /** The page's own title, also where the rest of the page is kept back. */
  title: string;
  /** What cannot be seen, in half a sentence: "who changed what". */
  what: string;
  children: ReactNode;
}

/** Shows a page to whoever may see it, and to the others whom they can ask. */
export function NeedsScope({ scope, title, what, children }: NeedsScopeProps) {
  if (useMay(scope)) return children;
  return (
    <>
      <PageHeader title={title} />
      <Empty icon={Lock} title="Your role does not include this page">
        Owners and admins see {what}. <Helpers />
      </Empty>
    </>
  );
}

const HELPERS_MAX = 3;

/** The people who can change a role, by name. */
export function Helpers() {
  const trpc = useTRPC();
  const members = useQuery(trpc.settings.listMembers.queryOptions());
  const helpers = (members.data ?? []).filter(({ role }) => role !== "member").slice(0, HELPERS_MAX);
  if (helpers.length === 0) return "Ask an owner of your team for a role that does.";
  return (
    <>
      Ask{" "}
      {helpers.map(({ user_id, email }, i) => (
        <span key={user_id}>
          {i > 0 && (i === helpers.length - 1 ? " or " : ", ")}
          <a href={`mailto:${email}`} className={`${ROW_LINK} underline`}>
            {email}
          </a>
        </span>
      ))}
      .
    </>
  );
}
