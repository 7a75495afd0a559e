import type { FamilyProof } from "./family-proof";

export const tensorizerProof: FamilyProof = {
  service: "tensorizer",
  kind: "conversion",
  isResult: true,
  spec: ({ bucket }) => ({
    source_model: `s3://${bucket}/model.safetensors`,
    target_uri: `s3://${bucket}/half/`,
    dtype: "f16",
  }),
  changed: ({ bucket }) => ({
    source_model: `s3://${bucket}/model.safetensors`,
    target_uri: `s3://${bucket}/brain/`,
    dtype: "bf16",
  }),
  wrong: { spec: { source_model: "ftp://x/y", target_uri: "s3://models/out/" }, param: "spec.source_model" },
  effects: async (world, { spec }) => {
    const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]+)\/(.*)$/.exec(String(spec.target_uri)) ?? [];
    const shard = await world.read(bucket, `${prefix}model-00001-of-00001.safetensors`);
    return shard?.includes(`"${String(spec.dtype).toUpperCase()}"`) ? 1 : 0;
  },
};
