import { expect, it } from "vitest";
import { type Engine, engineOf, programOf } from "./engines";

const MODEL = { model: "org/model", gpuCount: 2, tensorizerUri: undefined };
const lineOf = (engine: Engine, of = {}) => programOf(engine, { ...MODEL, ...of }).command.join(" ");

it("engines serve the model on all GPUs of a replica", () => {
  expect(lineOf("vllm")).toBe(
    "python3 -m vllm.entrypoints.openai.api_server --host 0.0.0.0 --port 8000 --model org/model --tensor-parallel-size 2",
  );
  expect(lineOf("tgi")).toBe(
    "text-generation-launcher --hostname 0.0.0.0 --port 8000 --model-id org/model --num-shard 2",
  );
  expect(lineOf("trt_llm")).toBe("trtllm-serve serve org/model --host 0.0.0.0 --port 8000 --tp_size 2");
  expect(lineOf("triton", { model: "/models" })).toContain("--openai-port 8000 --model-repository /models");
});

it("vllm loads tensors that were serialized", () => {
  expect(lineOf("vllm", { tensorizerUri: "s3://bucket/model" })).toContain(
    '--load-format tensorizer --model-loader-extra-config {"tensorizer_uri":"s3://bucket/model"}',
  );
});

it("a test key has the engine that needs no GPU, unless another one is asked for", () => {
  expect([engineOf(undefined, "test"), engineOf(undefined, "live"), engineOf("tgi", "test")]).toEqual([
    "test",
    "vllm",
    "tgi",
  ]);
});
