"use client";

import { QueryContent } from "../../../components/query-content";
import { useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../../components/page-header";
import { useScrollToHash } from "../../components/use-scroll-to-hash";
import type { Account } from "./account";
import { AccountSection } from "./account-section";
import { Invitations } from "./invitations";
import { PasswordSection } from "./password-section";
import { Sessions } from "./sessions";
import { Team } from "./team";
import { TenantSection } from "./tenant-section";

export function Settings() {
  const query = useQueryOf("getAccount");
  return (
    <>
      <PageHeader title="Settings" description="Your account, your team, and where you are logged in." />
      <QueryContent query={query}>{(account) => <Sections account={account} />}</QueryContent>
    </>
  );
}

function Sections({ account }: { account: Account }) {
  useScrollToHash();
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
