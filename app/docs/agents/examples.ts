export const CLAUDE_CODE = `claude mcp add --transport http svc "$SVC_URL/v1/mcp" --header "Authorization: Bearer $SVC_KEY"`;

export const CONFIGURATION = `{
  "mcpServers": {
    "svc": {
      "type": "http",
      "url": "https://svc.example/v1/mcp",
      "headers": { "Authorization": "Bearer svc_test_…" }
    }
  }
}`;

export const CALL = `curl -s -X POST "$SVC_URL/v1/mcp" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call",
       "params":{"name":"svc_storage_list","arguments":{"prefix":"invoices/"}}}'`;

export const IDEMPOTENT = `{
  "name": "svc_queues_create",
  "arguments": { "name": "jobs" },
  "_meta": { "svc/idempotency-key": "8f14e45f-ceea-467f-a0e6-b5d0f3a1c0de" }
}`;

export const TASK = `curl -s -X POST "$SVC_URL/v1/mcp" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" -H "MCP-Protocol-Version: 2025-11-25" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call",
       "params":{"name":"svc_gateway_chat","task":{"ttl":600000},
                 "arguments":{"model":"svc-echo","messages":[{"role":"user","content":"Hello"}]}}}'
# {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"task_…","status":"working",…}}}`;

export const TASK_RESULT = `curl -s -X POST "$SVC_URL/v1/mcp" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" -H "MCP-Protocol-Version: 2025-11-25" \\
  -d '{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"task_…"}}'`;

export const SCHEMA = `curl -s -X POST "$SVC_URL/v1/mcp" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"resources/read",
       "params":{"uri":"svc://tools/svc_pods_get/schema"}}'`;
