// node run.mjs MODULE SEED: the work list in WebAssembly, a line for each family.
import { readFileSync } from "node:fs";

const [, , file, seed] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
for (const [name, family] of Object.entries(instance.exports)) {
  if (typeof family !== "function") continue;
  const hash = BigInt.asUintN(64, family(Number(seed)));
  console.log(name, hash.toString(16).padStart(16, "0"));
}
