import { QuerySection } from "../../../components/query-content";
import { Link } from "../../../components/ui/link";
import { browserTimezone, dayOf, daysBefore, formatDay } from "../../../format/dates";
import { formatMoney } from "../../../format/money";
import { useQueryOf } from "../../../trpc/use-operation";
import { FigureList } from "../../components/figures";
import { useMode } from "../../components/shell/mode";
import { UnpaidOffers } from "../components/unpaid-offers";

const REFRESH_MS = 60_000;
/** Of the note on offers that earn nothing. */
const DAYS = 30;

/** What the tenant's channels earned from campaigns of others, and how much of it can still be clawed back. */
export function Earnings() {
  const { mode } = useMode();
  const timezone = browserTimezone();
  const query = useQueryOf("getEarnings", { mode }, { refetchInterval: REFRESH_MS });
  return (
    <QuerySection
      id="earnings"
      title="Channel earnings"
      description={
        <>
          From campaigns of other tenants. House offers and your own campaigns earn nothing.{" "}
          <Link href="/offers/balance" className="underline underline-offset-4">
            By month
          </Link>
        </>
      }
      query={query}
    >
      {(earnings) => {
        const [next] = earnings.next_available;
        const money = (micros: number) => formatMoney(micros, earnings.currency);
        const figures = [
          {
            label: "Pending",
            value: money(earnings.pending_micros),
            note: next
              ? `${money(next.amount_micros)} available on ${formatDay(next.date)}`
              : `Available ${earnings.pending_days} days after the day of the event`,
          },
          { label: "Available", value: money(earnings.available_micros), note: "No longer pending" },
          {
            label: "Clawed back",
            value: money(earnings.clawed_back_micros),
            note: "Reversed by the operator; the audit log has the reason",
          },
        ];
        return (
          <div className="space-y-5">
            {earnings.simulated && mode === "live" && (
              <p className="text-muted-foreground text-sm">
                The demo account's earnings are simulated: nothing is paid out.
              </p>
            )}
            <FigureList figures={figures} />
            <UnpaidOffers
              period={`the last ${DAYS} days`}
              mode={mode}
              timezone={timezone}
              from={daysBefore(dayOf(new Date(), timezone), DAYS - 1)}
            />
          </div>
        );
      }}
    </QuerySection>
  );
}
