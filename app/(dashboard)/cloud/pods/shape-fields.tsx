"use client";

import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import type { PodCatalog } from "../../../../server/cloud/pods/pod-catalog";
import { CheckboxField, SelectField, TextField } from "../../../components/form/fields";
import { formatRatePrice } from "../../../format/money";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { useMode } from "../../components/shell/mode";
import { fitText } from "./fit-text";
import { pricePerHour, type Shape } from "./shape-price";

/** The defaults of the API. */
const NEW_SHAPE: Shape = { purchase: "on_demand", gpu: "", gpuCount: "1", cpu: "1", memoryMb: "512" };
const REGION = "use";
const FREE_MS = 5000;

type Change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;

/** GPUs, cores and memory of a new pod, with what they cost. */
export function ShapeFields({ catalog }: { catalog: PodCatalog }) {
  const [shape, setShape] = useState(NEW_SHAPE);
  const [region, setRegion] = useState(REGION);
  const change =
    (part: keyof Shape): Change =>
    ({ target: { value } }) =>
      setShape({ ...shape, [part]: value });
  return (
    <fieldset className="min-w-0 space-y-4">
      <legend className="mb-3 font-medium">Size</legend>
      <GpuFields catalog={catalog} shape={shape} change={change} region={region} onRegion={setRegion} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="cpu"
          label="CPU cores"
          type="number"
          min={1}
          value={shape.cpu}
          onChange={change("cpu")}
          hint="The most that it can use."
        />
        <TextField
          name="memory_mb"
          label="Memory in MiB"
          type="number"
          min={64}
          step={64}
          value={shape.memoryMb}
          onChange={change("memoryMb")}
          hint="A process that exceeds it is ended."
        />
      </div>
      <div aria-live="polite" className="space-y-2">
        <Price price={pricePerHour(catalog, shape)} currency={catalog.currency} />
        {shape.gpu !== "" && <Fit shape={shape} region={region} />}
      </div>
    </fieldset>
  );
}

interface GpuFieldsProps {
  catalog: PodCatalog;
  shape: Shape;
  change: (part: keyof Shape) => Change;
  region: string;
  onRegion: (region: string) => void;
}

function GpuFields({ catalog: { gpus, regions, currency }, shape, change, region: chosen, onRegion }: GpuFieldsProps) {
  const isLive = useMode().mode === "live";
  const perNode = gpus.find(({ model }) => model === shape.gpu)?.perNode;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        name="gpu"
        label="GPU"
        className="sm:col-span-2"
        value={shape.gpu}
        onChange={change("gpu")}
        hint={
          isLive
            ? "This installation has no GPUs, so a pod in live mode runs without one. In test mode GPUs are simulated."
            : "Simulated: a GPU is reserved and metered, but the process has none. Without one the pod is the same as in live mode."
        }
      >
        <option value="">none</option>
        {gpus.map(({ model, price, spotPrice }) => (
          <option key={model} value={model} disabled={isLive}>
            {model.toUpperCase()}, {formatRatePrice(Number(shape.purchase === "spot" ? spotPrice : price), currency)}{" "}
            per hour{isLive ? " (not available)" : ""}
          </option>
        ))}
      </SelectField>
      {perNode !== undefined && (
        <>
          <SelectField
            name="purchase"
            label="Purchase"
            className="sm:col-span-2"
            value={shape.purchase}
            onChange={change("purchase")}
            hint={
              shape.purchase === "spot"
                ? "When others need its GPUs, its processes receive the stop signal, and what runs after 30 seconds is killed."
                : "Nobody takes its GPUs before it ends, within 30 days."
            }
          >
            <option value="on_demand">On demand</option>
            <option value="spot">Spot, 40 to 60 % cheaper</option>
          </SelectField>
          {shape.purchase === "spot" && (
            <CheckboxField
              name="auto_resume"
              label="Resume after a reclaim"
              className="sm:col-span-2"
              defaultChecked
              hint="The pod waits for capacity again and goes on with the files that it had."
            />
          )}
          <TextField
            name="gpu_count"
            label="Number of GPUs"
            type="number"
            min={1}
            max={perNode}
            value={shape.gpuCount}
            onChange={change("gpuCount")}
            hint={`All on one node: at most ${perNode}.`}
          />
          <SelectField
            name="region"
            label="Region"
            value={chosen}
            onChange={({ target: { value } }) => onRegion(value)}
          >
            {regions.map((region) => (
              <option key={region}>{region}</option>
            ))}
          </SelectField>
        </>
      )}
    </div>
  );
}

/** What is free at the moment; nothing while that is unknown. */
function Fit({ shape: { gpu, gpuCount, purchase }, region }: { shape: Shape; region: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.cloud.gpuPools.list.queryOptions({}, { refetchInterval: refreshEvery(FREE_MS) }));
  const pool = data?.data.find((one) => one.region === region && one.gpu === gpu);
  if (!pool) return null;
  const wanted = { count: Number(gpuCount), isSpot: purchase === "spot" };
  return <p className="px-3.5 text-muted-foreground text-sm">{fitText(pool, wanted)}</p>;
}

const Price = ({ price, currency }: { price: number | undefined; currency: string }) => (
  <output className="block rounded-lg bg-muted/60 px-3.5 py-2.5 text-sm">
    <span className="font-semibold text-base tabular-nums">
      {price === undefined ? "–" : formatRatePrice(price, currency)}
    </span>{" "}
    per hour while its process runs, metered by the second and invoiced monthly.
  </output>
);
