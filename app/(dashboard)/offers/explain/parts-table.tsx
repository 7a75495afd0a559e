import { type FitPart, fitParts, logOddsOf, probabilityText, type Reading, signedText } from "./fit-parts";
import { wholePercent } from "./score-bars";

/** What increases and decreases the probability, as bars to both sides of 0; nothing without a probability. */
export function PartsTable({ reading }: { reading: Reading }) {
  const fit = fitParts(reading);
  if (!fit) return null;
  const { probability, threshold } = reading;
  return (
    <div className="min-w-0 space-y-2">
      <h3 className="font-medium text-sm">What the probability consists of</h3>
      <p className="max-w-prose text-muted-foreground text-xs">
        Bars to the right make it likelier that an offer fits, bars to the left less likely. The parts sum to{" "}
        {signedText(fit.logOdds)}, the log-odds of {probabilityText(probability ?? 0)}; the channel needs{" "}
        {signedText(logOddsOf(threshold))}, the log-odds of {wholePercent(threshold)}.
      </p>
      <table className="w-full border-collapse text-sm max-md:block">
        <caption className="sr-only">What the probability consists of, largest effect first</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Bar</th>
            <th scope="col">Adds to the log-odds</th>
          </tr>
        </thead>
        <tbody className="divide-y max-md:block">
          {fit.parts.map((part) => (
            <PartRow key={part.label} {...part} />
          ))}
        </tbody>
      </table>
      {fit.without.length > 0 && (
        <p className="text-muted-foreground text-xs">Without effect on this request: {fit.without.join(", ")}.</p>
      )}
    </div>
  );
}

const PartRow = ({ label, description, part, share }: FitPart) => (
  <tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-2 max-md:py-2.5">
    <th scope="row" className="text-left font-normal md:py-2 md:pr-6">
      <span className="block font-medium">{label}</span>
      <span className="block max-w-prose text-muted-foreground text-xs">{description}</span>
    </th>
    <td aria-hidden className="max-md:order-last max-md:col-span-2 md:w-2/5">
      <span className="relative block h-2.5 rounded-full bg-muted">
        <span
          className={`absolute inset-y-0 min-w-0.5 ${part < 0 ? "right-1/2 rounded-l-full bg-chart-4" : "left-1/2 rounded-r-full bg-chart-5"}`}
          style={{ width: `${(50 * share).toFixed(1)}%` }}
        />
        <span className="absolute -inset-y-1 left-1/2 w-px bg-foreground" />
      </span>
    </td>
    <td className="text-right font-medium tabular-nums md:w-20">{signedText(part)}</td>
  </tr>
);
