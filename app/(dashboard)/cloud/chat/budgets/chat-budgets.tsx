"use client";

import { Gauge, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/ui/button";
import { PagedList } from "../../../components/paged-list";
import { pagesEvery } from "../../../components/pages";
import { useHasScope } from "../../../components/shell/access";
import type { ChatBudget } from "../wire";
import { BudgetCard } from "./budget-card";
import { CreateBudgetDialog, EditBudgetDialog } from "./budget-dialogs";

const REFRESH_MS = 15_000;

/** Budgets with what is spent of them. */
export function ChatBudgets() {
  const canWrite = useHasScope("gateway:write");
  const [creating, setCreating] = useState(false);
  const [edited, setEdited] = useState<ChatBudget>();
  const create = canWrite && (
    <Button onClick={() => setCreating(true)} icon={Plus}>
      Create budget
    </Button>
  );
  return (
    <div className="space-y-4">
      <PagedList
        noun="budget"
        icon={Gauge}
        about="A budget limits what chat requests cost per day or month, in money, in tokens or in both."
        scopes="gateway"
        create={create}
        pages={({ trpc, mode }) => trpc.listChatBudgets.infiniteQueryOptions({ mode }, pagesEvery(REFRESH_MS))}
      >
        {(budgets) => (
          <>
            {create && <div className="flex justify-end">{create}</div>}
            <ul aria-label="Budgets" className="grid gap-4 lg:grid-cols-2">
              {budgets.map((budget) => (
                <BudgetCard key={budget.id} budget={budget} onEdit={() => setEdited(budget)} />
              ))}
            </ul>
          </>
        )}
      </PagedList>
      <CreateBudgetDialog open={creating} onClose={() => setCreating(false)} />
      <EditBudgetDialog budget={edited} onClose={() => setEdited(undefined)} />
    </div>
  );
}
