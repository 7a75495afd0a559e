"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Gauge, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/ui/button";
import { EmptyState } from "../../../../components/ui/empty-state";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { useHasScope } from "../../../components/shell/access";
import { useMode } from "../../../components/shell/mode";
import type { ChatBudget } from "../wire";
import { BudgetCard } from "./budget-card";
import { CreateBudgetDialog, EditBudgetDialog } from "./budget-dialogs";

const REFRESH_MS = 15_000;

/** Budgets with what is spent of them. */
export function ChatBudgets() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const canWrite = useHasScope("gateway:write");
  const [creating, setCreating] = useState(false);
  const [edited, setEdited] = useState<ChatBudget>();
  const query = useInfiniteQuery(
    trpc.listChatBudgets.infiniteQueryOptions(
      { mode },
      { getNextPageParam: nextCursor, refetchInterval: refreshEvery(REFRESH_MS) },
    ),
  );
  const create = canWrite && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create budget
    </Button>
  );
  return (
    <div className="space-y-4">
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={Gauge} title={`No budgets in ${mode} mode yet`} action={create}>
            A budget limits what chat requests cost per day or month, in money, in tokens or in both.
          </EmptyState>
        }
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
      </PagedContent>
      <CreateBudgetDialog open={creating} onClose={() => setCreating(false)} />
      <EditBudgetDialog budget={edited} onClose={() => setEdited(undefined)} />
    </div>
  );
}
