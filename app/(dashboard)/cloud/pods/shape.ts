import type { Outputs } from "../../../trpc/client";
import { FieldError } from "../../../trpc/failure";

export type NearestShape = Outputs["estimatePod"]["nearest_shapes"][number];

/** What the form has of a pod's shape and how it is bought: texts, as they are typed. */
export interface Shape {
  /** The id of a reservation, which has the model and the region; empty: none. */
  reservation: string;
  /** Empty: no GPU. */
  gpu: string;
  /** `on_demand` or `spot`, which only counts with a GPU. */
  purchase: string;
  autoResume: boolean;
  gpuCount: string;
  region: string;
  cpu: string;
  memoryMb: string;
  /** GiB; empty: no volume. */
  volumeGb: string;
  volumePath: string;
  /** Empty: no gang. */
  gangName: string;
  gangSize: string;
}

/** The defaults of the API. */
export const NEW_SHAPE: Shape = {
  reservation: "",
  gpu: "",
  purchase: "on_demand",
  autoResume: true,
  gpuCount: "1",
  region: "use",
  cpu: "1",
  memoryMb: "512",
  volumeGb: "",
  volumePath: "/workspace",
  gangName: "",
  gangSize: "",
};

/** Whether a pod of the shape has GPUs, of its own or of a reservation. */
export const hasGpus = ({ gpu, reservation }: Shape): boolean => gpu !== "" || reservation !== "";

/** What the API receives of a shape. Throws a FieldError for what is no number, or missing. */
export function shapeInput(shape: Shape) {
  const amounts = {
    cpu: numberOf("cpu", shape.cpu),
    memory_mb: numberOf("memory_mb", shape.memoryMb),
    ...volumeIn(shape),
  };
  if (!hasGpus(shape)) return amounts;
  const gpus = { gpu_count: numberOf("gpu_count", shape.gpuCount), ...amounts, ...gangIn(shape) };
  if (shape.reservation !== "") return { reservation_id: shape.reservation, ...gpus };
  return {
    gpu: shape.gpu,
    region: shape.region as "use",
    ...gpus,
    ...(shape.purchase === "spot" && { spot: true, auto_resume: shape.autoResume }),
  };
}

/** The form's shape with what a suggested one has instead. */
export const withNearest = (shape: Shape, { gpu_count, region, cpu, memory_mb }: NearestShape): Shape => ({
  ...shape,
  ...(gpu_count > 0 && { gpuCount: String(gpu_count) }),
  ...(region !== null && { region }),
  cpu: String(cpu),
  memoryMb: String(memory_mb),
});

function volumeIn({ volumeGb, volumePath }: Shape): { volume?: { size_gb: number; mount_path: string } } {
  if (volumeGb.trim() === "") return {};
  return { volume: { size_gb: numberOf("volume_gb", volumeGb), mount_path: volumePath.trim() } };
}

function gangIn({ gangName, gangSize }: Shape): { gang?: { name: string; size: number } } {
  const name = gangName.trim();
  if (name === "" && gangSize.trim() === "") return {};
  if (name === "") throw new FieldError("gang_name", "Enter the name of the gang.");
  return { gang: { name, size: numberOf("gang_size", gangSize) } };
}

function numberOf(field: string, text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new FieldError(field, "Enter a number.");
  return number;
}
