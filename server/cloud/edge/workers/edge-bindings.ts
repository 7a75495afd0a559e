import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { inputFailure } from "../../../kernel/input-failure";
import { parseJson } from "../../../kernel/parse-json";
import type { Owner } from "../../../operation/actor";
import type { BindingCtx, BindingMethods, BindingReply, EdgeBindingsParts } from "./binding-methods";
import type { Binding } from "./edge-fields";
import { actorOf } from "./edge-place";
import { kvMethods } from "./kv-binding";
import { objectMethods } from "./object-binding";
import { queueMethods } from "./queue-binding";
import { sqlMethods } from "./sql-binding";

interface Granted {
  owner: Owner;
  bindings: readonly Binding[];
  isSmokeRun: boolean;
}

const NEWLINE = 10;
const Line = z.object({ binding: z.string(), method: z.string(), args: z.unknown() });

/** Responds to the calls of bindings by one version of one function: only the bindings of that version exist. */
export class EdgeBindings {
  readonly #ctx: BindingCtx;
  readonly #granted: Granted;

  constructor(parts: EdgeBindingsParts, granted: Granted) {
    this.#ctx = { ...parts, owner: granted.owner, actor: actorOf(granted.owner) };
    this.#granted = granted;
  }

  readonly respond = async (request: Buffer): Promise<Buffer> => {
    try {
      const { result = null, body = Buffer.alloc(0) } = await this.#run(request);
      return Buffer.concat([lineOf({ result }), body]);
    } catch (failure) {
      return lineOf({ error: this.#messageOf(failure) });
    }
  };

  async #run(request: Buffer): Promise<BindingReply> {
    const end = request.indexOf(NEWLINE);
    const { binding: name, method: asked, args } = Line.parse(parseJson(request.subarray(0, end), "The call"));
    const binding = this.#granted.bindings.find((one) => one.name === name);
    if (!binding) throw new ServiceError("not_found", `The function has no binding ${name.slice(0, 80)}.`);
    const methods = METHODS[binding.type](this.#ctx, binding as never);
    const method = Object.hasOwn(methods, asked) ? methods[asked] : undefined;
    if (!method) throw new ServiceError("not_found", `A binding of the type ${binding.type} has no such method.`);
    return method({ args, body: request.subarray(end + 1) }, this.#granted);
  }

  #messageOf(failure: unknown): string {
    if (failure instanceof z.ZodError) return inputFailure(failure).message;
    if (failure instanceof ServiceError && failure.code !== "internal") return failure.message;
    this.#ctx.log.warn({ err: failure }, "a call of a binding failed");
    return "The call failed in svc; retry shortly.";
  }
}

const METHODS: { [T in Binding["type"]]: (ctx: BindingCtx, binding: never) => BindingMethods } = {
  kv: kvMethods,
  object: objectMethods,
  queue: queueMethods,
  sql: sqlMethods,
};

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
