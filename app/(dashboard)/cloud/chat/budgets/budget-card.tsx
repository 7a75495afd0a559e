import { Pencil } from "lucide-react";
import { Badge } from "../../../../components/ui/badge";
import { RowMenu } from "../../../../components/ui/row-menu";
import { formatDateTime } from "../../../../format/dates";
import { formatMoney } from "../../../../format/money";
import { formatCount } from "../../../../format/numbers";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useProjects } from "../../../account/api-keys/use-projects";
import { Meter } from "../../../components/meter";
import { deleteAction, questionOf } from "../../../components/row-actions";
import { useHasScope } from "../../../components/shell/access";
import type { ChatBudget } from "../wire";

/** One budget with its meters. */
export function BudgetCard({ budget, onEdit }: { budget: ChatBudget; onEdit: () => void }) {
  const { projects, nameOf } = useProjects();
  const { name, currency, amount_micros, tokens, spent, action, simulated, key_id, project_id } = budget;
  return (
    <li className="flex flex-col gap-3 rounded-xl border bg-card p-4 text-sm shadow-xs">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="break-words font-semibold text-base">{name}</h2>
          <p className="break-all text-muted-foreground text-xs">
            {key_id === null ? "All requests of the project" : `Requests of the key ${key_id}`}
            {projects.length > 1 && ` · ${nameOf(project_id)}`}
          </p>
        </div>
        <BudgetMenu budget={budget} onEdit={onEdit} />
      </div>
      {amount_micros !== null && (
        <Spent
          used={spent.amount_micros}
          limit={amount_micros}
          text={`${formatMoney(spent.amount_micros, currency)} of ${formatMoney(amount_micros, currency)}`}
        />
      )}
      {tokens !== null && (
        <Spent
          used={spent.tokens}
          limit={tokens}
          text={`${formatCount(spent.tokens)} of ${formatCount(tokens)} tokens`}
        />
      )}
      <div className="mt-auto flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
        <Badge tone={action === "block" ? "accent" : "neutral"}>{action === "block" ? "blocks" : "notifies"}</Badge>
        {simulated && <Badge tone="warn">simulated</Badge>}
        <span>Resets {formatDateTime(budget.resets_at)}</span>
      </div>
    </li>
  );
}

const Spent = ({ used, limit, text }: { used: number; limit: number; text: string }) => (
  <div className="space-y-1.5">
    <p className="font-medium tabular-nums">{text}</p>
    <Meter used={used} limit={limit} />
  </div>
);

function BudgetMenu({ budget: { id, name }, onEdit }: { budget: ChatBudget; onEdit: () => void }) {
  const canWrite = useHasScope("gateway:write");
  const deletion = useMutationOf("deleteChatBudget", { meta: { done: "Budget deleted." } });
  if (!canWrite) return null;
  const consequence = "Requests are no longer limited by this budget, and what was spent of it is forgotten.";
  const deleting = deleteAction(questionOf("Delete", { noun: "budget", name, consequence }), () =>
    deletion.mutateAsync({ budget: id }),
  );
  return <RowMenu name={name} actions={[{ label: "Edit", icon: Pencil, onSelect: onEdit }, deleting]} />;
}
