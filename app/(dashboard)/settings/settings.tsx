"use client";

import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../components/loaded";
import { PageHeader } from "../../components/page-header";
import { useAnchor } from "../../components/use-anchor";
import { useTRPC } from "../../trpc/client";
import type { Account } from "./account";
import { AccountSection } from "./account-section";
import { Invitations } from "./invitations";
import { PasswordSection } from "./password-section";
import { Sessions } from "./sessions";
import { Team } from "./team";
import { TenantSection } from "./tenant-section";

export function Settings() {
  const trpc = useTRPC();
  const query = useQuery(trpc.settings.account.queryOptions());
  return (
    <>
      <PageHeader title="Settings" description="Your account, your team, and where you are logged in." />
      <Loaded query={query}>{(account) => <Sections account={account} />}</Loaded>
    </>
  );
}

function Sections({ account }: { account: Account }) {
  useAnchor();
  return (
    <div className="space-y-6">
      <AccountSection account={account} />
      <PasswordSection />
      <Sessions />
      <TenantSection account={account} />
      <Team account={account} />
      {account.role !== "member" && <Invitations account={account} />}
    </div>
  );
}
