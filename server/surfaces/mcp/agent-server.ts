import { type JSONRPCRequest, type Result, Server, type ServerContext } from "@modelcontextprotocol/server";

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The protocol's library knows only results of calls as results of `tools/call`, and would refuse a task. */
export class AgentServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    if (method !== "tools/call") return super._wrapHandler(method, handler);
    return async (request, context) => {
      let task: Result | undefined;
      const checked = super._wrapHandler(method, async (...given) => {
        const result = await handler(...given);
        if (!isTask(result)) return result;
        task = result;
        return { content: [] };
      });
      const result = await checked(request, context);
      return task ?? result;
    };
  }
}

const isTask = (result: Result): boolean => result.resultType === "task" || "task" in result;
