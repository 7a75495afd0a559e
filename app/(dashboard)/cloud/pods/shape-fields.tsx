import type { ChangeEvent } from "react";
import type { PodCatalog } from "../../../../server/cloud/compute/pods/pod-catalog";
import { CheckboxField, SelectField, TextField } from "../../../components/form/fields";
import { formatRatePrice } from "../../../format/money";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import { gpusText, type Reservation } from "../reservations/reservation";
import { hasGpus, type Shape } from "./shape";

const RESERVATIONS_MAX = 1000;

type Change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
type TextPart = Exclude<keyof Shape, "autoResume">;

interface ShapeFieldsProps {
  catalog: PodCatalog;
  shape: Shape;
  onShape: (shape: Shape) => void;
  /** What is wrong with a field, by its name. */
  problemOf: (name: string) => string | undefined;
}

interface PartProps extends ShapeFieldsProps {
  change: (part: TextPart) => Change;
}

/** GPUs, how they are bought, cores, memory and the volume of a new pod. */
export function ShapeFields(props: ShapeFieldsProps) {
  const { shape, onShape, problemOf } = props;
  const change =
    (part: TextPart): Change =>
    ({ target: { value } }) =>
      onShape({ ...shape, [part]: value });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 font-medium">Size</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <GpuFields {...props} change={change} />
        <TextField
          name="cpu"
          label="CPU cores"
          type="number"
          min={1}
          value={shape.cpu}
          onChange={change("cpu")}
          problem={problemOf("cpu")}
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
          problem={problemOf("memory_mb")}
          hint="A process that exceeds it is ended."
        />
        <VolumeFields {...props} change={change} />
      </div>
    </fieldset>
  );
}

const VolumeFields = ({ shape, change, problemOf }: PartProps) => (
  <>
    <TextField
      name="volume_gb"
      label="Volume in GiB"
      optional
      type="number"
      min={1}
      value={shape.volumeGb}
      onChange={change("volumeGb")}
      problem={problemOf("volume_gb")}
      hint="A disk that keeps its files when the pod stops, starts or moves."
    />
    {shape.volumeGb !== "" && (
      <TextField
        name="volume_path"
        label="Folder of the volume"
        maxLength={255}
        autoCapitalize="none"
        spellCheck={false}
        value={shape.volumePath}
        onChange={change("volumePath")}
        problem={problemOf("volume_path")}
        hint="Where the pod has it."
      />
    )}
  </>
);

function GpuFields(props: PartProps) {
  const { catalog, shape, change, problemOf } = props;
  const reservations = useActiveReservations();
  const reserved = reservations.find(({ id }) => id === shape.reservation);
  const model = reserved?.gpu ?? shape.gpu;
  const perNode = catalog.gpus.find((gpu) => gpu.model === model)?.perNode;
  return (
    <>
      {reservations.length > 0 && (
        <SelectField
          name="reservation_id"
          label="Reservation"
          optional
          className="sm:col-span-2"
          value={shape.reservation}
          onChange={change("reservation")}
          hint={reserved ? "Its GPUs are paid for with it." : "Its GPUs, model and region, instead of a purchase."}
        >
          <option value="">none</option>
          {reservations.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}: {gpusText(one)} in {one.region}, {one.count - one.in_use} free
            </option>
          ))}
        </SelectField>
      )}
      {shape.reservation === "" && <ModelField {...props} />}
      {hasGpus(shape) && (
        <TextField
          name="gpu_count"
          label="Number of GPUs"
          type="number"
          min={1}
          max={perNode}
          value={shape.gpuCount}
          onChange={change("gpuCount")}
          problem={problemOf("gpu_count")}
          hint={`All on one node: at most ${perNode ?? "8"}.`}
          className={shape.reservation === "" ? "" : "sm:col-span-2"}
        />
      )}
      {shape.reservation === "" && shape.gpu !== "" && <PurchaseFields {...props} />}
    </>
  );
}

/** Those of the tenant, in this mode. */
function useActiveReservations(): Reservation[] {
  const { mode } = useMode();
  const list = useQueryOf("listReservations", { mode, status: "active" as const, limit: RESERVATIONS_MAX });
  return list.data?.data ?? [];
}

function ModelField({ catalog: { gpus, currency }, shape, change }: PartProps) {
  const isLive = useMode().mode === "live";
  const real = useRealModels(isLive);
  const isOffered = (model: string) => !isLive || real.has(model);
  return (
    <SelectField
      name="gpu"
      label="GPU"
      className="sm:col-span-2"
      value={shape.gpu}
      onChange={change("gpu")}
      hint={
        isLive
          ? liveHint(real)
          : "Simulated: a GPU is reserved and metered, but the process has none. Without one the pod is the same as in live mode."
      }
    >
      <option value="">none</option>
      {gpus.map(({ model, price, spotPrice }) => (
        <option key={model} value={model} disabled={!isOffered(model)}>
          {model.toUpperCase()}, {formatRatePrice(Number(shape.purchase === "spot" ? spotPrice : price), currency)} per
          hour{isOffered(model) ? "" : " (not available)"}
        </option>
      ))}
    </SelectField>
  );
}

const liveHint = (real: ReadonlySet<string>): string =>
  real.size === 0
    ? "This installation has no GPUs, so a pod in live mode runs without one. In test mode GPUs are simulated."
    : "GPUs of the nodes of this installation. In test mode GPUs are simulated.";

/** The models of which a node has GPUs; read in live mode only. */
function useRealModels(isLive: boolean): ReadonlySet<string> {
  const list = useQueryOf("listGpuPools", {}, { enabled: isLive });
  return new Set(list.data?.data.filter(({ simulated }) => !simulated).map(({ gpu }) => gpu));
}

const PurchaseFields = ({ catalog: { regions }, shape, onShape, change }: PartProps) => (
  <>
    <SelectField name="region" label="Region" value={shape.region} onChange={change("region")}>
      {regions.map((region) => (
        <option key={region}>{region}</option>
      ))}
    </SelectField>
    <SelectField
      name="spot"
      label="Purchase"
      className="sm:col-span-2"
      value={shape.purchase}
      onChange={change("purchase")}
      hint={
        shape.purchase === "spot"
          ? "When others need its GPUs, its processes receive the stop signal, and what runs after 30 seconds is killed."
          : "No other pod takes its GPUs before it ends, within 30 days."
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
        checked={shape.autoResume}
        onChange={({ target: { checked } }) => onShape({ ...shape, autoResume: checked })}
        hint="The pod waits for capacity again and continues with the files that it had."
      />
    )}
  </>
);
