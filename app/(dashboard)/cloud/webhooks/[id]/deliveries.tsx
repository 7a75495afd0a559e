"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useMemo } from "react";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { cn } from "../../../../components/ui/cn";
import { EmptyState } from "../../../../components/ui/empty-state";
import { useTRPC } from "../../../../trpc/client";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { useHasScope } from "../../../components/shell/access";
import { useUrlParams } from "../../../components/use-url-params";
import type { Webhook } from "../webhook";
import { DeliveryDialog } from "./delivery-dialog";
import { isFiltered, parseDeliveryFilter, toListInput } from "./delivery-filter";
import { DeliveryFilters } from "./delivery-filters";
import { DeliveryTable } from "./delivery-table";
import { ReplayRange } from "./replay-range";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 25;
const ALL = { status: "", kind: "", range: "" };

/** The log of deliveries, newest first; filters and the open delivery are in the URL. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const trpc = useTRPC();
  const { params, change } = useUrlParams();
  const canWrite = useHasScope("webhooks:write");
  const filter = parseDeliveryFilter(params);
  const { status, kind, range } = filter;
  // The start of a range stays the same between renderings: it is part of the query's key.
  const input = useMemo(() => toListInput({ status, kind, range }, new Date()), [status, kind, range]);
  const query = useInfiniteQuery(
    trpc.listWebhookDeliveries.infiniteQueryOptions(
      { id: webhook.id, ...input, limit: PAGE_ROWS },
      { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS, placeholderData: (previous) => previous },
    ),
  );
  const opened = params.get("delivery") ?? "";
  return (
    <Section
      id="deliveries"
      title="Deliveries"
      description="One delivery is one event for this webhook. They are kept for 30 days."
      actions={canWrite && webhook.status === "enabled" && <ReplayRange webhook={webhook} />}
    >
      <div className="space-y-4">
        <DeliveryFilters filter={filter} onChange={change} />
        <PagedContent
          query={query}
          empty={
            isFiltered(filter) ? (
              <EmptyState
                icon={Send}
                title="No matching deliveries"
                action={
                  <Button variant="outline" onClick={() => change(ALL)}>
                    Clear filters
                  </Button>
                }
              >
                No deliveries match these filters.
              </EmptyState>
            ) : (
              <EmptyState icon={Send} title="No deliveries yet">
                Each event that this webhook subscribes to appears here as soon as it happens. Send a test event to see
                one.
              </EmptyState>
            )
          }
        >
          {(deliveries) => (
            <div className={cn(query.isPlaceholderData && "opacity-60 transition-opacity")}>
              <DeliveryTable deliveries={deliveries} onOpen={(id) => change({ delivery: id }, "push")} />
            </div>
          )}
        </PagedContent>
      </div>
      <DeliveryDialog webhook={webhook} deliveryId={opened} onClose={() => change({ delivery: "" }, "push")} />
    </Section>
  );
}
