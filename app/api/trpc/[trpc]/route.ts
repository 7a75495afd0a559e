import { surfaces } from "../../../../server/surfaces";

const handle = (request: Request): Promise<Response> => surfaces().trpc.handle(request);

export { handle as GET, handle as POST };
