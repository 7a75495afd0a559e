import type { FamilyProof } from "./family-proof";

interface Completion {
  choices?: { message: { content: string } }[];
}

const asked = (more: object) => ({ model: "m", gpu_sku: "L40S", cpu: 1, memory_mb: 128, ...more });

export const inferenceProof: FamilyProof = {
  service: "inference",
  kind: "endpoint",
  isMetered: true,
  spec: ({ python: image }) => asked({ image }),
  changed: ({ python: image }) => asked({ image, max_replicas: 2 }),
  wrong: { spec: asked({ min_replicas: 3, max_replicas: 2 }), param: "spec.max_replicas" },
  effects: async (world, { name }) => {
    const messages = [{ role: "user", content: "is it there" }];
    const { body } = await world.call<Completion>("/v1/chat/completions", {
      body: { model: `inference/${name}`, messages },
    });
    return body.choices?.[0]?.message.content === "is it there" ? 1 : 0;
  },
};
