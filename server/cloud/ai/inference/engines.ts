import type { Mode } from "../../../operation/actor";
import { TEST_ENGINE } from "./test-engine";

export const GPU_ENGINES = ["vllm", "tgi", "trt_llm", "triton"] as const;
export const ENGINES = [...GPU_ENGINES, "test"] as const;
export type Engine = (typeof ENGINES)[number];

/** What an engine runs. */
export interface EngineModel {
  model: string;
  gpuCount: number;
  tensorizerUri: string | undefined;
}

/** A program that serves OpenAI's API for a model. */
export interface EngineProgram {
  command: string[];
  env: Record<string, string>;
  port: number;
  /** Responds with 2xx when the model is loaded. */
  healthPath: string;
}

const PORT = 8000;
const LISTEN = ["--host", "0.0.0.0", "--port", String(PORT)];
/** Weights are downloaded to the files of the pod. */
const GPU_ENV = { HF_HOME: "/tmp/huggingface" };

interface EngineKind {
  image: string;
  cpu: number;
  memoryMb: number;
  healthPath: string;
  commandOf: (of: EngineModel) => string[];
}

const KINDS: Readonly<Record<Engine, EngineKind>> = {
  vllm: {
    image: "docker.io/vllm/vllm-openai:v0.8.5",
    cpu: 8,
    memoryMb: 65_536,
    healthPath: "/health",
    commandOf: ({ model, gpuCount, tensorizerUri }) => [
      "python3",
      "-m",
      "vllm.entrypoints.openai.api_server",
      ...LISTEN,
      "--model",
      model,
      "--tensor-parallel-size",
      String(gpuCount),
      ...(tensorizerUri === undefined
        ? []
        : [
            "--load-format",
            "tensorizer",
            "--model-loader-extra-config",
            JSON.stringify({ tensorizer_uri: tensorizerUri }),
          ]),
    ],
  },
  tgi: {
    image: "ghcr.io/huggingface/text-generation-inference:3.2.3",
    cpu: 8,
    memoryMb: 65_536,
    healthPath: "/health",
    commandOf: ({ model, gpuCount }) => [
      "text-generation-launcher",
      "--hostname",
      "0.0.0.0",
      "--port",
      String(PORT),
      "--model-id",
      model,
      "--num-shard",
      String(gpuCount),
    ],
  },
  trt_llm: {
    image: "nvcr.io/nvidia/tensorrt-llm/release:0.20.0",
    cpu: 8,
    memoryMb: 65_536,
    healthPath: "/health",
    commandOf: ({ model, gpuCount }) => ["trtllm-serve", "serve", model, ...LISTEN, "--tp_size", String(gpuCount)],
  },
  triton: {
    image: "nvcr.io/nvidia/tritonserver:25.04-vllm-python-py3",
    cpu: 8,
    memoryMb: 65_536,
    healthPath: "/health/ready",
    // How a model is spread over GPUs is in the files of the model repository.
    commandOf: ({ model }) => [
      "python3",
      "/opt/tritonserver/python/openai/openai_frontend/main.py",
      "--host",
      "0.0.0.0",
      "--openai-port",
      String(PORT),
      "--model-repository",
      model,
    ],
  },
  test: {
    image: "docker.io/library/python:3.12-alpine",
    cpu: 1,
    memoryMb: 256,
    healthPath: "/health",
    commandOf: ({ model }) => ["python3", "-c", TEST_ENGINE, model, String(PORT)],
  },
};

/** The engine of an endpoint. With a test key GPUs are simulated, so that no GPU engine could run. */
export const engineOf = (engine: Engine | undefined, mode: Mode): Engine =>
  engine ?? (mode === "live" ? "vllm" : "test");

/** Whether an engine loads the tensors that `tensorizer_uri` names. */
export const loadsTensorizer = (engine: Engine): boolean => engine === "vllm";

/** What a replica is unless the spec says otherwise. */
export const defaultsOf = (engine: Engine): Pick<EngineKind, "image" | "cpu" | "memoryMb"> => KINDS[engine];

/** How an engine is started. Those for GPUs follow the manuals of their makers, and have not been run on GPUs yet. */
export const programOf = (engine: Engine, of: EngineModel): EngineProgram => ({
  command: KINDS[engine].commandOf(of),
  env: engine === "test" ? {} : GPU_ENV,
  port: PORT,
  healthPath: KINDS[engine].healthPath,
});
