import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { STATES_TEXT } from "../pod-records/pod-states";
import { podChoice } from "../pod-requests/pod-fields";
import { findPod } from "./find-pod";
import { Pod, toPod } from "./pod";
import { endedPodExample } from "./pod.example";
import type { PodsCtx } from "./pods-ctx";

/** Returns a pod. Throws `not_found`. */
export const getPod = operation({
  id: "getPod",
  summary: "Get a pod",
  description: STATES_TEXT,
  access: "pods:read",
  input: z.strictObject(podChoice),
  output: Pod,
  example: { input: { id: endedPodExample.id }, output: endedPodExample },
  run: async (ctx: ActorCtx & Pick<PodsCtx, "currency" | "publicUrl">, { id }) => toPod(await findPod(ctx, id), ctx),
});
