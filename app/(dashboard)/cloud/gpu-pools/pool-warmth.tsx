import { Gauge } from "lucide-react";
import { Section } from "../../../components/ui/card";
import { EmptyState } from "../../../components/ui/empty-state";
import { formatCount, formatShare } from "../../../format/numbers";
import { FigureList } from "../../components/figures";
import { type PoolPicture, poolName } from "./gpu-pool";

/** How fast pods of a pool started, and whether their images were on the node. */
export function PoolWarmth({ pool }: { pool: PoolPicture }) {
  const { warm_images, hit_rate, boot_seconds, samples, own_images } = pool.warm;
  return (
    <Section
      title="Starts"
      description={`How fast pods of ${poolName(pool)} started in the last seven days, of all tenants: from the assignment of GPUs until the process ran, the pull of the image included.`}
    >
      {boot_seconds === null ? (
        <EmptyState icon={Gauge} title="No starts yet">
          The figures appear when a pod has started in this pool.
        </EmptyState>
      ) : (
        <FigureList
          figures={[
            { label: "Nothing was pulled", value: formatShare(hit_rate), note: `of ${formatCount(samples)} starts` },
            { label: "Start, median", value: secondsText(boot_seconds.p50) },
            { label: "Start, 99th percentile", value: secondsText(boot_seconds.p99) },
            { label: "Images kept ready", value: formatCount(warm_images), note: ownText(own_images) },
          ]}
        />
      )}
    </Section>
  );
}

const secondsText = (seconds: number): string => `${seconds.toFixed(1)} s`;

function ownText(own: PoolPicture["warm"]["own_images"]): string | undefined {
  if (own.length === 0) return undefined;
  return `${own.filter(({ ready }) => ready).length} of ${own.length} of your pods`;
}
