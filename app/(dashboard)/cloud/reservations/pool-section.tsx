import { SelectField } from "../../../components/form/fields";
import { QueryContent } from "../../../components/query-content";
import { Section } from "../../../components/ui/card";
import { formatDateTime } from "../../../format/dates";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { BarLegend, PoolCalendar } from "./pool-calendar";
import { moneyText, type Pool, type ReservationCalendar } from "./reservation";

const SPANS = [
  ["90", "90 days"],
  ["365", "12 months"],
] as const;
/** The most reservations of a pool that a picture shows. */
const SHOWN_MAX = 100;

interface PoolSectionProps {
  pool: Pool;
  gpus: readonly Pool["gpu"][];
  regions: readonly Pool["region"][];
}

/** One pool over time; the pool and the span are in the address. */
export function PoolSection({ pool, gpus, regions }: PoolSectionProps) {
  const { params, change } = useUrlParams();
  const days = params.get("days") === "365" ? 365 : 90;
  return (
    <Section
      title={`Pool ${pool.region}/${pool.gpu}`}
      description="What can be reserved, and your reservations. On-demand pods count until the end of their lifetime."
    >
      <div className="mb-4 grid gap-3 sm:grid-cols-3">
        <SelectField
          name="gpu"
          label="GPU"
          value={pool.gpu}
          onChoose={(gpu) => change({ gpu })}
          choices={gpus.map((gpu) => ({ value: gpu, label: gpu.toUpperCase() }))}
        />
        <SelectField
          name="region"
          label="Region"
          value={pool.region}
          onChoose={(region) => change({ region })}
          choices={regions}
        />
        <SelectField
          name="days"
          label="Period"
          value={String(days)}
          onChoose={(days) => change({ days })}
          choices={SPANS.map(([value, text]) => ({ value, label: text }))}
        />
      </div>
      <PoolContent pool={pool} days={days} />
    </Section>
  );
}

function PoolContent({ pool, days }: { pool: Pool; days: number }) {
  const { mode } = useMode();
  const calendar = useQueryOf("getReservationCalendar", { ...pool, days, mode });
  const own = useQueryOf("listReservations", { ...pool, mode, limit: SHOWN_MAX });
  return (
    <QueryContent query={calendar}>
      {(value) => (
        <div className="space-y-4">
          <QueryContent query={own}>
            {({ data }) => (
              <PoolCalendar
                calendar={value}
                reservations={data}
                timeline={{ fromMs: Date.parse(value.free[0]?.at ?? ""), days }}
              />
            )}
          </QueryContent>
          <BarLegend />
          <Earliest calendar={value} />
        </div>
      )}
    </QueryContent>
  );
}

const Earliest = ({ calendar }: { calendar: ReservationCalendar }) => (
  <p className="text-sm">
    For 30 days from now at most <strong>{calendar.count_max}</strong> of {calendar.capacity} GPUs can be reserved
    {calendar.count_max === 0 && calendar.earliest_start
      ? `; one is free for a term from ${formatDateTime(calendar.earliest_start)} on`
      : ""}
    . One costs {moneyText(calendar.price_per_hour, calendar.currency)} per hour.
  </p>
);
