import { ReservationWorld, type WorldFigures, type WorldPolicy } from "./reservation-world";

const SEEDS = 20;
const DAYS = 730;

const POLICIES: readonly WorldPolicy[] = [
  { name: "calendar, lends to spot (svc)", usesCalendar: true, lends: true },
  { name: "calendar, lends nothing", usesCalendar: true, lends: false },
  { name: "free at the moment, no calendar", usesCalendar: false, lends: true },
];

/** Two years of one pool of 64 GPUs with random reservations, on-demand pods and lost nodes, over 20 seeds. */
export async function run(print: (line: string) => void): Promise<void> {
  print(`Sums over ${SEEDS} seeds of ${DAYS} days of a pool of 64 GPUs. Late starts: although GPUs were free, because`);
  print(
    "of lost nodes, because of others. Idle lend rate: of the idle reserved GPU-hours, and of those spot wanted.\n",
  );
  print(
    "policy                           admitted rejected canceled  nodes lost  double   late: free  lost  others  lent of idle",
  );
  for (const policy of POLICIES) {
    const runs = Array.from({ length: SEEDS }, (_, i) => new ReservationWorld(policy, 42 + i).run(DAYS));
    print(lineOf(policy.name, runs));
  }
}

function lineOf(name: string, runs: readonly WorldFigures[]): string {
  const sum = (figure: keyof WorldFigures) => runs.reduce((total, one) => total + one[figure], 0);
  const number = (figure: keyof WorldFigures, width: number) => String(sum(figure)).padStart(width);
  const lent = `${((100 * sum("lentHours")) / sum("idleHours")).toFixed(1)} %`.padStart(13);
  return [
    name.padEnd(32),
    ...[number("admitted", 8), number("rejected", 8), number("canceled", 8), number("nodesLost", 11)],
    ...[number("doubleBookings", 7), number("lateWithCapacity", 11), number("lateByLoss", 5)],
    ...[number("lateByOthers", 7), lent],
  ].join(" ");
}
