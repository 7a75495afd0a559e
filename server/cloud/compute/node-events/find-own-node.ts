import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { nodeNameOf, type OwnNode, type OwnNodesOf, ownNodes } from "../pools/own-nodes.sql";

const NAMES_SHOWN = 50;

/** The own node that a name means. Throws `not_found`, the same for nodes of others, with the names that there are. */
export async function findOwnNode(tx: Prisma.TransactionClient, of: OwnNodesOf, name: string): Promise<OwnNode> {
  const own = await ownNodes(tx, of);
  const named = own.filter((node) => nodeNameOf(node) === name || node.node === name);
  const [found] = named;
  if (found && named.length === 1) return found;
  const asked = `"${name.slice(0, 80)}"`;
  const problem = found ? `Several of your nodes have the name ${asked}` : `You have no node with the name ${asked}`;
  throw new ServiceError("not_found", `${problem}. ${namesText(own)}`, { param: "node_name" });
}

function namesText(own: readonly OwnNode[]): string {
  if (own.length === 0) return "A node is yours while a baremetal instance of yours runs on it; none does.";
  const names = own.slice(0, NAMES_SHOWN).map(nodeNameOf).join(", ");
  return `Yours: ${names}${own.length > NAMES_SHOWN ? " and more" : ""}.`;
}
