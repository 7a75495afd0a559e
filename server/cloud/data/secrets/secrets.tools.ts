import { extraTool, tool } from "../../../operation/tool";
import { deleteSecret } from "./delete-secret";
import { listSecrets } from "./list-secrets";
import { putSecret } from "./put-secret";

const without = ["mode", "project", "tenant"];

export const secretTools = [
  tool("svc_secrets_put name*:s value*:s", putSecret),
  extraTool("svc_secrets_list", listSecrets, { without }),
  extraTool("svc_secrets_delete", deleteSecret, { without }),
];
