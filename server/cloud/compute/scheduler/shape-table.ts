import { assertRequest, GPU_MILLI, type GpuRequest } from "./gpu-request";
import type { NodeType } from "./node-table";

/** Requests that are alike. The counts fade: see DemandWindow. */
export interface Shape extends GpuRequest {
  readonly id: number;
  /** How often it was requested, and how often of these it did not fit. */
  seen: number;
  blocked: number;
}

/** The most shapes that are kept; beyond it the ones that were not requested for longest are forgotten. */
export const SHAPES_MAX = 1024;

/** One shape per distinct request, least recently requested first. */
export class ShapeTable {
  readonly #byKey = new Map<string, Shape>();
  #next = 0;

  constructor(private readonly onForget: (shape: Shape) => void) {}

  /** The shape of a request. Throws a RangeError if the request is malformed. */
  intern(request: GpuRequest): Shape {
    const key = keyOf(request);
    let shape = this.#byKey.get(key);
    if (shape) this.#byKey.delete(key);
    else {
      assertRequest(request);
      const { cpuMilli, memoryMib, gpus, gpuMilli } = request;
      const models = [...new Set(request.models)].sort();
      shape = { id: this.#next++, cpuMilli, memoryMib, gpus, gpuMilli, models, seen: 0, blocked: 0 };
    }
    this.#byKey.set(key, shape);
    if (this.#byKey.size > SHAPES_MAX) this.#forgetOldest();
    return shape;
  }

  all(): IterableIterator<Shape> {
    return this.#byKey.values();
  }

  #forgetOldest(): void {
    const [oldest] = this.#byKey;
    if (!oldest) return;
    this.#byKey.delete(oldest[0]);
    this.onForget(oldest[1]);
  }
}

/** Whether part of one device is requested. */
export const isShared = ({ gpus, gpuMilli }: GpuRequest): boolean => gpus === 1 && gpuMilli < GPU_MILLI;

/** Thousandths of GPUs over all devices of a request. */
export const requestedMilli = ({ gpus, gpuMilli }: GpuRequest): number => gpus * gpuMilli;

/** Whether an idle node of the type can hold the request. */
export const fitsType = (request: GpuRequest, type: NodeType): boolean =>
  allowsModel(request, type) &&
  request.gpus <= type.gpus &&
  request.cpuMilli <= type.cpuMilli &&
  request.memoryMib <= type.memoryMib;

/** Whether the request names the type's GPU model, or none. */
export const allowsModel = ({ models }: Pick<GpuRequest, "models">, { model }: { model: string }): boolean =>
  models.length === 0 || models.includes(model);

const keyOf = ({ cpuMilli, memoryMib, gpus, gpuMilli, models }: GpuRequest): string =>
  `${cpuMilli} ${memoryMib} ${gpus} ${gpuMilli} ${models.length < 2 ? models : [...models].sort().join("|")}`;
