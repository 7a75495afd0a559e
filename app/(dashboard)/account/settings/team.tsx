import { LogOut, UserMinus } from "lucide-react";
import { QuerySection } from "../../../components/query-content";
import { Select } from "../../../components/ui/input";
import { RowMenu } from "../../../components/ui/row-menu";
import type { Outputs } from "../../../trpc/client";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { DataTable, timeColumn } from "../../components/data-table";
import type { Account } from "./account";

type Member = Outputs["listMembers"][number];

const REFRESH_MS = 30_000;

export function Team({ account }: { account: Account }) {
  const query = useQueryOf("listMembers", undefined, { refetchInterval: REFRESH_MS });
  return (
    <QuerySection
      id="team"
      title="Team"
      description="Owners can do everything. Admins can do everything except manage owners. Members cannot manage keys or the team."
      query={query}
    >
      {(members) => (
        <DataTable
          caption="Team members"
          rows={members}
          keyOf={({ user_id }) => user_id}
          columns={[
            { label: "Member", className: "min-w-44 break-words", cell: ({ email }) => email },
            { label: "Role", cell: (member) => <RoleCell member={member} account={account} /> },
            timeColumn("Joined", ({ joined_at }: Member) => joined_at),
          ]}
          menu={(member) => <MemberMenu member={member} account={account} />}
        />
      )}
    </QuerySection>
  );
}

interface MemberProps {
  member: Member;
  account: Account;
}

function RoleCell({ member, account }: MemberProps) {
  const change = useMutationOf("changeRole", { meta: { done: "Role changed." } });
  if (!canChange(account, member)) return member.role;
  const roles = account.role === "owner" ? (["owner", "admin", "member"] as const) : (["admin", "member"] as const);
  return (
    <Select
      aria-label={`Role of ${member.email}`}
      value={member.role}
      disabled={change.isPending}
      className="w-32"
      onChange={(event) => {
        const role = roles.find((candidate) => candidate === event.target.value);
        if (role) change.mutate({ user_id: member.user_id, role });
      }}
    >
      {roles.map((role) => (
        <option key={role}>{role}</option>
      ))}
    </Select>
  );
}

function MemberMenu({ member, account }: MemberProps) {
  const isSelf = member.user_id === account.user.id;
  const remove = useMutationOf("removeMember", {
    meta: { done: isSelf ? "You have left the team." : "Member removed." },
    onSuccess: () => isSelf && window.location.assign("/dashboard"),
  });
  if (!isSelf && !canChange(account, member)) return null;
  const action = isSelf ? "Leave" : "Remove";
  const question = {
    title: isSelf ? `Leave ${account.tenant.name}?` : `Remove ${member.email}?`,
    consequence: isSelf
      ? "Your sessions in this tenant end within seconds. What you created stays. To return, you need an invitation."
      : "Their sessions in this tenant end within seconds. What they created stays. You can invite them again.",
    action,
  };
  const onConfirm = () => remove.mutateAsync({ user_id: member.user_id });
  return (
    <RowMenu
      name={member.email}
      actions={[{ label: action, icon: isSelf ? LogOut : UserMinus, question, onConfirm }]}
    />
  );
}

/** Hides what the server would reject; the server makes the decision. */
const canChange = ({ role }: Account, member: Member): boolean =>
  role === "owner" || (role === "admin" && member.role !== "owner");
