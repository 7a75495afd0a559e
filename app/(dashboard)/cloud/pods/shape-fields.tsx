"use client";

import { type ChangeEvent, useState } from "react";
import type { PodCatalog } from "../../../../server/cloud/pods/pod-catalog";
import { CheckboxField, SelectField, TextField } from "../../../components/form/fields";
import { formatRatePrice } from "../../../format/money";
import { useMode } from "../../components/shell/mode";
import { pricePerHour, type Shape } from "./shape-price";

/** The defaults of the API. */
const NEW_SHAPE: Shape = { purchase: "on_demand", gpu: "", gpuCount: "1", cpu: "1", memoryMb: "512" };
const REGION = "use";

type Change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;

/** GPUs, cores and memory of a new pod, with what they cost. */
export function ShapeFields({ catalog }: { catalog: PodCatalog }) {
  const [shape, setShape] = useState(NEW_SHAPE);
  const change =
    (part: keyof Shape): Change =>
    ({ target: { value } }) =>
      setShape({ ...shape, [part]: value });
  return (
    <fieldset className="min-w-0 space-y-4">
      <legend className="mb-3 font-medium">Size</legend>
      <GpuFields catalog={catalog} shape={shape} change={change} />
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
      <Price price={pricePerHour(catalog, shape)} currency={catalog.currency} />
    </fieldset>
  );
}

interface GpuFieldsProps {
  catalog: PodCatalog;
  shape: Shape;
  change: (part: keyof Shape) => Change;
}

function GpuFields({ catalog: { gpus, regions, currency }, shape, change }: GpuFieldsProps) {
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
          <SelectField name="region" label="Region" defaultValue={REGION}>
            {regions.map((region) => (
              <option key={region}>{region}</option>
            ))}
          </SelectField>
        </>
      )}
    </div>
  );
}

const Price = ({ price, currency }: { price: number | undefined; currency: string }) => (
  <output className="block rounded-lg bg-muted/60 px-3.5 py-2.5 text-sm">
    <span className="font-semibold text-base tabular-nums">
      {price === undefined ? "–" : formatRatePrice(price, currency)}
    </span>{" "}
    per hour while its process runs, metered by the second and invoiced monthly.
  </output>
);
