import { QuerySection } from "../../../../components/query-content";
import { countText } from "../../../../format/count-text";
import { formatAge } from "../../../../format/durations";
import { formatCount } from "../../../../format/numbers";
import type { Outputs } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { Fact, Facts } from "../../../components/facts";
import { gpuText, type Pod } from "../pod";

type Explanation = Outputs["explainPod"];

const REFRESH_MS = 5000;

/** What blocks a pod that waits for capacity, for how long, and what would fit now. */
export function PodWait({ pod }: { pod: Pod }) {
  const query = useQueryOf("explainPod", { id: pod.id }, { refetchInterval: refreshEvery(REFRESH_MS) });
  return (
    <QuerySection
      title="Why it waits"
      description="What fits now can be taken by other pods a moment later."
      query={query}
    >
      {(explanation) => <Explained explanation={explanation} isGang={pod.gang !== null} />}
    </QuerySection>
  );
}

const Explained = ({ explanation, isGang }: { explanation: Explanation; isGang: boolean }) => {
  const { blocked_by, queue_position, expected_wait, nearest_shapes } = explanation;
  return (
    <Facts>
      <Fact name="Blocked by" className="sm:col-span-2">
        {blocked_by?.message ?? "Nothing: it has its capacity."}
      </Fact>
      <Fact name="Position among the pods that wait for the same pool">
        {queue_position === null ? "–" : formatCount(queue_position)}
      </Fact>
      <Fact name="Expected wait">
        <Wait wait={expected_wait} isGang={isGang} />
      </Fact>
      {!isGang && (
        <Fact name="Would be placed now" className="sm:col-span-2">
          <Shapes shapes={nearest_shapes} />
        </Fact>
      )}
    </Facts>
  );
};

const UNKNOWN_OF_GANG =
  "Unknown: pods of the gang are missing, others are before it, or no known end makes room for all its pods.";

function Wait({ wait, isGang }: { wait: Explanation["expected_wait"]; isGang: boolean }) {
  if (wait === null) return isGang ? UNKNOWN_OF_GANG : "Unknown: no end is known, and there are too few earlier waits.";
  const { seconds, basis, samples } = wait;
  return (
    <>
      {formatAge(seconds)}
      <span className="block text-muted-foreground text-xs">
        {basis} {samples > 0 && `(${countText(samples, "sample")})`}
      </span>
    </>
  );
}

function Shapes({ shapes }: { shapes: Explanation["nearest_shapes"] }) {
  if (shapes.length === 0) return "No similar shape.";
  return (
    <ul className="space-y-1">
      {shapes.map((shape) => (
        <li key={shape.note}>
          {shape.note}
          <span className="block text-muted-foreground text-xs">{amountsOf(shape)}</span>
        </li>
      ))}
    </ul>
  );
}

const amountsOf = (shape: Explanation["nearest_shapes"][number]): string =>
  [
    shape.gpu !== null && `${gpuText(shape)} in ${shape.region}`,
    countText(shape.cpu, "core"),
    `${formatCount(shape.memory_mb)} MiB`,
  ]
    .filter(Boolean)
    .join(", ");
