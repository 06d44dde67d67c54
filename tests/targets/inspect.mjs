// node inspect.mjs FILE: what a linked file is made of. Prints its bytes in flash and of which part
// of the sources they are, the largest first; the panic machinery that is in it, and where in the
// sources a panic is called from:
//
//   flash 12345
//   part ik::sweep 6789
//   part libm 678
//   part double precision 90
//   panic core::panicking::panic_bounds_check
//   from src/ik/ccd.rs:42:13
//
// FILE is an ELF file of 32 bits, little endian, or a WebAssembly module whose memory is exported.
import { readFileSync } from "node:fs";

const file = readFileSync(process.argv[2]);
const text = (bytes) => new TextDecoder().decode(bytes);
// Sections are [address, bytes]; names are of functions, as the compiler mangles them.
const { sections, names, flash, functions } = text(file.subarray(1, 4)) === "ELF" ? elf() : await wasm();

console.log("flash", flash);
for (const [part, bytes] of parts()) console.log("part", part, bytes);
for (const name of names) {
  // All panics end in the handler.
  if (/panicking|rust_begin_unwind|unwrap_failed|expect_failed/.test(name)) console.log("panic", name);
}
for (const place of locations()) console.log("from", place);

// What is no function is data: constants and the names of arguments.
function parts() {
  const sizes = new Map();
  let data = flash;
  for (const [name, size] of functions.values()) {
    const part = partOf(name);
    sizes.set(part, (sizes.get(part) ?? 0) + size);
    data -= size;
  }
  return [...sizes.set("data", data)].sort(([, a], [, b]) => b - a);
}

// A module of the crate (of `ik`, the solver), another crate, or the compiler's help.
function partOf(name) {
  const [, module, inner] = name.match(/sinew(?:\.\.|\d+)([a-z_]+)(?:\.\.|\d+)?([a-z_]+)?/) ?? [];
  if (module) return module === "ik" && inner ? `ik::${inner}` : module;
  if (/\dlibm\d/.test(name)) return "libm";
  if (/glam/.test(name)) return "glam";
  if (/___\w+df\d|__aeabi_(d|\w+2d)/.test(name)) return "double precision";
  if (/compiler_builtins|^__/.test(name)) return "compiler";
  return "entry";
}

function elf() {
  const u16 = (at) => file.readUInt16LE(at);
  const u32 = (at) => file.readUInt32LE(at);
  const sections = [];
  const names = [];
  // By address: some have several names.
  const functions = new Map();
  let flash = 0;
  const header = (i) => u32(32) + i * u16(46);
  for (let i = 0; i < u16(48); i += 1) {
    const at = header(i);
    const [type, flags, address, offset, size] = [4, 8, 12, 16, 20].map((field) => u32(at + field));
    const [ALLOC, NOBITS, SYMTAB] = [2, 8, 2];
    if (flags & ALLOC && type !== NOBITS) {
      flash += size;
      sections.push([address, file.subarray(offset, offset + size)]);
    }
    if (type === SYMTAB) {
      const strings = u32(header(u32(at + 24)) + 16);
      for (let symbol = offset; symbol < offset + size; symbol += 16) {
        const begin = strings + u32(symbol);
        const name = text(file.subarray(begin, file.indexOf(0, begin)));
        names.push(name);
        const FUNCTION = 2;
        if ((file[symbol + 12] & 15) === FUNCTION) functions.set(u32(symbol + 4), [name, u32(symbol + 8)]);
      }
    }
  }
  return { sections, names, flash, functions };
}

async function wasm() {
  const { module, instance } = await WebAssembly.instantiate(file, {});
  const [section] = WebAssembly.Module.customSections(module, "name");
  if (!section) throw new Error("the module has no names to search");
  const names = text(new Uint8Array(section)).split(/[^\w$.]+/);
  return { sections: [[0, Buffer.from(instance.exports.memory.buffer)]], names, flash: file.length, functions: new Map() };
}

// A core::panic::Location is a file's name (address, length), a line and a column. Data that
// only looks like one does not point at the name of a source file.
function locations() {
  const found = new Set();
  const at = (address, length) => {
    for (const [start, bytes] of sections) {
      if (address >= start && address + length <= start + bytes.length) {
        return bytes.subarray(address - start, address - start + length);
      }
    }
  };
  for (const [start, bytes] of sections) {
    for (let i = (4 - (start % 4)) % 4; i + 16 <= bytes.length; i += 4) {
      const [address, length, line, column] = [0, 4, 8, 12].map((word) => bytes.readUInt32LE(i + word));
      if (length < 4 || length > 512) continue;
      const name = at(address, length);
      if (name && /^[ -~]+\.rs\0?$/.test(text(name))) {
        found.add(`${text(name).replace("\0", "")}:${line}:${column}`);
      }
    }
  }
  return [...found].sort();
}
