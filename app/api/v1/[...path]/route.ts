import { surfaces } from "@/server/surfaces";

const handle = (request: Request) => surfaces().offers(request);

export const dynamic = "force-dynamic";
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
