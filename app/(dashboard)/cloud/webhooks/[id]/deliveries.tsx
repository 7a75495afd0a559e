import { Send } from "lucide-react";
import { Badge } from "../../../../components/ui/badge";
import { Section } from "../../../../components/ui/card";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { Below, type Columns, IdBelow, RowOpener } from "../../../components/data-table";
import { chosenIn, type Filter, statusFilter } from "../../../components/filters";
import { PagedList } from "../../../components/paged-list";
import { pagesEvery } from "../../../components/pages";
import { useHasScope } from "../../../components/shell/access";
import { rangeFilter, startOfRange } from "../../../components/time-range";
import { useUrlParams } from "../../../components/use-url-params";
import { useKinds } from "../use-kinds";
import type { Webhook } from "../webhook";
import { DELIVERY_STATUSES, DELIVERY_TONES, type Delivery, nextAttemptText, resultText } from "./delivery";
import { DeliveryDialog } from "./delivery-dialog";
import { ReplayRange } from "./replay-range";

const REFRESH_MS = 10_000;
const PAGE_ROWS = 25;
const KIND = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/;

const COLUMNS: Columns<Delivery> = [
  {
    label: "Event",
    cell: ({ id, event_type }) => (
      <>
        <RowOpener param="delivery" id={id}>
          {event_type}
        </RowOpener>
        <IdBelow id={id} />
      </>
    ),
  },
  {
    label: "Status",
    cell: ({ status, next_attempt_at, attempt_count }) => (
      <>
        <Badge tone={DELIVERY_TONES[status]}>{status}</Badge>
        <Below className="whitespace-nowrap">
          {next_attempt_at && attempt_count > 0 && `next attempt ${nextAttemptText(next_attempt_at)}`}
        </Below>
      </>
    ),
  },
  { label: "Last result", className: "min-w-36 max-w-72 break-words text-muted-foreground text-xs", cell: resultText },
  { label: "Attempts", numeric: true, cell: ({ attempt_count }) => attempt_count },
  {
    label: "Created",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ created_at }) => formatDateTimeSeconds(created_at),
  },
];

/** The log of deliveries, newest first; filters and the open delivery are in the address. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { params, change } = useUrlParams();
  const canWrite = useHasScope("webhooks:write");
  return (
    <Section
      id="deliveries"
      title="Deliveries"
      description="One delivery is one event for this webhook. They are kept for 30 days."
      actions={canWrite && webhook.status === "enabled" && <ReplayRange webhook={webhook} />}
    >
      <PagedList
        noun="delivery"
        plural="deliveries"
        icon={Send}
        emptyTitle="No deliveries yet"
        about="Each event that this webhook subscribes to appears here as soon as it happens. Send a test event to see one."
        scopes="webhooks"
        caption="Deliveries of this webhook"
        useFilters={useDeliveryFilters}
        pages={({ trpc, filter, params: asked, now }) =>
          trpc.listWebhookDeliveries.infiniteQueryOptions(
            {
              id: webhook.id,
              status: chosenIn(asked, "status", DELIVERY_STATUSES),
              event_type: filter("kind"),
              from: startOfRange(asked, now),
              limit: PAGE_ROWS,
            },
            pagesEvery(REFRESH_MS),
          )
        }
        columns={COLUMNS}
      />
      <DeliveryDialog
        webhook={webhook}
        deliveryId={params.get("delivery") ?? ""}
        onClose={() => change({ delivery: "" }, "push")}
      />
    </Section>
  );
}

function useDeliveryFilters(): Filter[] {
  const kinds = useKinds().data?.data ?? [];
  const choices = kinds.map(({ type }) => ({ value: type, label: type }));
  return [
    statusFilter(DELIVERY_STATUSES),
    rangeFilter("Created in the last"),
    { name: "kind", label: "Kind", all: "All kinds", choices, others: KIND },
  ];
}
