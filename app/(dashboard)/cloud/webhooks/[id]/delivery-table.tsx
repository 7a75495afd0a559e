import { Badge } from "../../../../components/ui/badge";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { DELIVERY_TONES, type Delivery, nextAttemptText, resultText } from "./delivery";

const COLUMNS = [
  { label: "Event" },
  { label: "Status" },
  { label: "Last result" },
  { label: "Attempts", numeric: true },
  { label: "Created" },
];

interface DeliveryTableProps {
  deliveries: Delivery[];
  onOpen: (id: string) => void;
}

export const DeliveryTable = ({ deliveries, onOpen }: DeliveryTableProps) => (
  <Table caption="Deliveries of this webhook" columns={COLUMNS}>
    {deliveries.map((delivery) => (
      <Row key={delivery.id}>
        <RowHeading>
          <button type="button" className={`${ROW_LINK_STYLE} text-left`} onClick={() => onOpen(delivery.id)}>
            {delivery.event_type}
          </button>
          <span className="block whitespace-nowrap font-mono font-normal text-muted-foreground text-xs">
            {delivery.id}
          </span>
        </RowHeading>
        <Cell>
          <Badge tone={DELIVERY_TONES[delivery.status]}>{delivery.status}</Badge>
          {delivery.next_attempt_at && delivery.attempt_count > 0 && (
            <span className="block whitespace-nowrap text-muted-foreground text-xs">
              next attempt {nextAttemptText(delivery.next_attempt_at)}
            </span>
          )}
        </Cell>
        <Cell className="min-w-36 max-w-72 break-words text-muted-foreground text-xs">{resultText(delivery)}</Cell>
        <Cell numeric>{delivery.attempt_count}</Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTimeSeconds(delivery.created_at)}</Cell>
      </Row>
    ))}
  </Table>
);
