// Which responses have a body that is encoded already, as `Content-Encoding` says: the code made them with
// `encodeBody: "manual"`, which a Response does not tell. Comes before the module of the tenant, which may keep Response.

const manual = new WeakSet();
const { clone } = Response.prototype;

export const isManual = (response) => manual.has(response);

const noted = (response, isEncoded) => {
  if (isEncoded) manual.add(response);
  return response;
};

globalThis.Response = new Proxy(Response, {
  construct: (target, args, newTarget) =>
    noted(Reflect.construct(target, args, newTarget), args[1]?.encodeBody === "manual" || manual.has(args[1])),
});
Response.prototype.constructor = Response;
Response.prototype.clone = function () {
  return noted(Reflect.apply(clone, this, []), manual.has(this));
};
