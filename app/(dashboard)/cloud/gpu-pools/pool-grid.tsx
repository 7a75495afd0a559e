import { Section } from "../../../components/ui/card";
import { cn } from "../../../components/ui/cn";
import { type Pool, poolName } from "./gpu-pool";

interface PoolGridProps {
  pools: readonly Pool[];
  chosen: Pool | undefined;
  onChoose: (pool: Pool) => void;
}

/** All pools, one button each, models below each other and regions side by side. */
export function PoolGrid({ pools, chosen, onChoose }: PoolGridProps) {
  const models = [...new Set(pools.map(({ gpu }) => gpu))];
  const regions = [...new Set(pools.map(({ region }) => region))];
  return (
    <Section title="All pools" description="In use of all GPUs. Choose a pool to see its nodes.">
      <div
        className="grid gap-x-3 gap-y-2"
        style={{ gridTemplateColumns: `3.75rem repeat(${regions.length}, minmax(0, 1fr))` }}
      >
        <span />
        {regions.map((region) => (
          <span key={region} className="px-1 text-muted-foreground text-xs">
            {region}
          </span>
        ))}
        {models.flatMap((gpu) => [
          <span key={gpu} className="self-center font-medium text-sm">
            {gpu.toUpperCase()}
          </span>,
          ...regions.map((region) => {
            const pool = pools.find((one) => one.region === region && one.gpu === gpu);
            return pool ? (
              <PoolButton key={`${region}/${gpu}`} pool={pool} isChosen={pool === chosen} onChoose={onChoose} />
            ) : (
              <span key={`${region}/${gpu}`} />
            );
          }),
        ])}
      </div>
    </Section>
  );
}

interface PoolButtonProps {
  pool: Pool;
  isChosen: boolean;
  onChoose: (pool: Pool) => void;
}

const PoolButton = ({ pool, isChosen, onChoose }: PoolButtonProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={() => onChoose(pool)}
    className={cn(
      "min-w-0 cursor-pointer rounded-md border px-2 py-1.5 text-left transition-colors hover:bg-muted/60",
      isChosen && "border-primary bg-accent",
    )}
  >
    <span className="block truncate text-xs tabular-nums">
      <span className="sr-only">{poolName(pool)}: </span>
      {pool.used_gpus} / {pool.gpus}
      <span className="sr-only"> GPUs in use</span>
    </span>
    <span aria-hidden className="mt-1 flex h-1.5 overflow-hidden rounded-full bg-muted">
      <span className="bg-chart-1" style={{ width: widthOf(pool.used_gpus - pool.spot_gpus, pool.gpus) }} />
      <span className="bg-chart-3" style={{ width: widthOf(pool.spot_gpus, pool.gpus) }} />
    </span>
  </button>
);

const widthOf = (part: number, all: number): string => `${all === 0 ? 0 : (100 * part) / all}%`;
