// node compare.mjs folder module.js cases.json: calls each formula with the arguments Python wrote, and compares the results.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, module, casesPath] = process.argv.slice(2);
const formulasPath = `${folder}/${module}`;
const formulas = await import(pathToFileURL(formulasPath));
const kit = await import(new URL("kit.js", pathToFileURL(`${folder}/`)));
const work = await import(new URL("work.js", pathToFileURL(`${folder}/`)));
const asMap = (object) => new Map(Object.entries(object));
const helpers = { ...kit, ...formulas, asMap };
const called = new Set();
/** What JSON cannot hold: infinities, bytes, and the result of another formula. */
function revive(_, value) {
  if (value === "-Infinity") return -Infinity;
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, "base64");
  if (value?.call !== undefined) {
    called.add(value.call);
    return helpers[value.call](...value.args);
  }
  return value;
}
const cases = JSON.parse(readFileSync(casesPath, "utf8"), revive);

const flat = (given) => {
  const value = ArrayBuffer.isView(given) ? Array.from(given) : given;
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Map) return flat(Object.fromEntries(value));
  if (Array.isArray(value)) return value.flatMap(flat);
  if (value !== null && typeof value === "object") return Object.keys(value).sort().flatMap((key) => [key, ...flat(value[key])]);
  return [value];
};
const shape = (value) => (Array.isArray(value) || ArrayBuffer.isView(value) ? `[${Array.from(value, shape)}]` : ".");

/** The largest difference, relative to the largest number wanted; what is no number must be the same. */
function error(got, wanted) {
  if (got.length !== wanted.length) return Infinity;
  const scale = wanted.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 1e-300);
  const errors = wanted.map((x, i) => (Object.is(x, got[i]) || x === got[i] ? 0 : Number.isFinite(x) ? Math.abs(got[i] - x) / scale : Infinity));
  return errors.reduce((most, e) => Math.max(most, Number.isNaN(e) ? Infinity : e), 0);
}

const report = { exported: Object.keys(formulas), called: [...called], compared: {}, worst: {} };
for (const { name, args, wanted } of cases) {
  const given = formulas[name](...args);
  const got = typeof given?.next === "function" ? work.finished(given) : given; // what comes in pieces
  const sameShape = typeof wanted !== "object" || !(Array.isArray(got) || ArrayBuffer.isView(got)) || shape(got) === shape(wanted);
  const worst = sameShape ? error(flat(got), flat(wanted)) : Infinity;
  report.compared[name] = (report.compared[name] ?? 0) + flat(wanted).length;
  report.worst[name] = Math.max(report.worst[name] ?? 0, Number.isFinite(worst) ? worst : 1e300);
}
console.log(JSON.stringify(report));
