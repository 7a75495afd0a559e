// Which responses have a body that is encoded already, as `Content-Encoding` says: the code made them with
// `encodeBody: "manual"`, which a Response does not tell. Comes before the module of the tenant, which may keep Response.

const manual = new WeakSet();
const { json } = Response;
const { clone } = Response.prototype;

export const isManual = (response) => manual.has(response);

const noted = (response, isEncoded) => {
  if (isEncoded) manual.add(response);
  return response;
};
const says = (options) => options?.encodeBody === "manual" || manual.has(options);

// A class that extends it constructs through it, and has its own functions.
globalThis.Response = new Proxy(Response, {
  construct: (target, args, newTarget) => noted(Reflect.construct(target, args, newTarget), says(args[1])),
});
Response.prototype.constructor = Response;
Response.json = function (...args) {
  return noted(Reflect.apply(json, this, args), says(args[1]));
};
Response.prototype.clone = function () {
  return noted(Reflect.apply(clone, this, []), manual.has(this));
};
