/** Unpacks packed tables for perfectplay.js; docs/reference/tables.md describes the file. */
/** @import { unpackTable as Unpack } from "./unpack.d.ts" */
/** @typedef {Record<"bits" | "width" | "limit" | "canonical", string>} About */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {{data_offsets: [number, number]}} Part */

const BLOCK = 1024; // entries
const AT_ONCE = 64; // blocks inflated at once

/** Returns the bytes of the mapped table; other bytes as they are, which openTable judges.
 * @type {typeof Unpack} */
export async function unpackTable(data) {
  if (data?.byteLength === undefined) throw TypeError("unpackTable takes bytes");
  const bytes = new Uint8Array(data);
  const start = 8 + bytes[0] + (bytes[1] << 8) + (bytes[2] << 16);
  const header = readHeader(bytes.subarray(8, start));
  if (!header?.blocks) return bytes;
  const { __metadata__: about, keys, offsets, blocks } = header;
  /** @param {Part} part */
  const part = ({ data_offsets: [from, to] }) => {
    const missing = start + to - bytes.length;
    if (missing > 0) throw damaged(`${missing} bytes are missing`);
    return bytes.slice(start + from, start + to);
  };
  const firsts = new BigUint64Array(part(keys).buffer);
  const places = [...new BigUint64Array(part(offsets).buffer)].map(Number);
  const packed = part(blocks);
  const table = new Arrays(about);
  for (let i = 0; i < firsts.length; i += AT_ONCE) {
    const some = [...firsts.subarray(i, i + AT_ONCE).keys()].map((n) => i + n);
    const parts = some.map((n) => inflate(packed.subarray(places[n] + 4, places[n + 1]), n));
    for (const [n, raw] of (await Promise.all(parts)).entries()) table.add(firsts[i + n], raw);
  }
  return table.file(about);
}

/** @typedef {Record<"keys" | "offsets" | "blocks", Part> & {__metadata__: About}} Header */

/** @param {Bytes} bytes @returns {Header | null} */
function readHeader(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null; // not a packed table
  }
}

/** @param {Bytes} part @param {number} number */
async function inflate(part, number) {
  try {
    const stream = new Blob([part]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw damaged(`block ${number}`);
  }
}

const damaged = (/** @type {string} */ why) => Error(`a damaged table: ${why}`);

/** The arrays of the mapped table, filled block by block. */
class Arrays {
  /** @param {About} about */
  constructor({ bits, width, limit, canonical }) {
    this.width = Number(width);
    this.values = new (limit === "127" ? Int8Array : Int16Array)(Number(canonical));
    const Rests = [Uint8Array, Uint16Array, Uint32Array, BigUint64Array];
    const size = [8, 16, 32, 64].findIndex((most) => this.width <= most);
    this.remainders = new Rests[size](this.values.length);
    this.offsets = new Uint32Array(2 ** Math.max(0, Number(bits) - this.width) + 1);
    this.count = 0;
  }

  /** @param {bigint} first @param {Bytes} raw */
  add(first, raw) {
    const n = Math.min(BLOCK, this.values.length - this.count);
    const [gap] = raw;
    const size = this.values.BYTES_PER_ELEMENT;
    if (raw.length !== 1 + gap * (n - 1) + size * n) {
      throw damaged(`block ${Math.floor(this.count / BLOCK)}`);
    }
    /** @param {number} from @param {number} step @param {number} bytes */
    const number = (from, step, bytes) => {
      let found = 0n;
      for (let k = 0; k < bytes; k++) found |= BigInt(raw[from + k * step]) << BigInt(8 * k);
      return found;
    };
    let key = first;
    for (let j = 0; j < n; j++, this.count++) {
      if (j) key += number(j, n - 1, gap);
      const rest = BigInt.asUintN(this.width, key);
      if (this.remainders instanceof BigUint64Array) this.remainders[this.count] = rest;
      else this.remainders[this.count] = Number(rest);
      this.values[this.count] = Number(number(1 + gap * (n - 1) + j, n, size));
      this.offsets[Number(key >> BigInt(this.width)) + 1]++;
    }
  }

  file(/** @type {About} */ about) {
    for (let i = 1; i < this.offsets.length; i++) this.offsets[i] += this.offsets[i - 1];
    /** @param {ArrayBufferView} array */
    const kind = (array) => array.constructor.name.replace(/[^UI\d]/g, ""); // U8, I16, ...
    const named = Object.entries({
      offsets: this.offsets,
      remainders: this.remainders,
      values: this.values,
    }).sort((a, b) => b[1].BYTES_PER_ELEMENT - a[1].BYTES_PER_ELEMENT);
    /** @type {Record<string, object>} */
    const header = { __metadata__: about };
    let end = 0;
    for (const [name, array] of named) {
      const from = end;
      end += array.byteLength;
      header[name] = { dtype: kind(array), data_offsets: [from, end] };
    }
    const text = new TextEncoder().encode(JSON.stringify(header));
    const found = new Uint8Array(8 + text.length + end);
    new DataView(found.buffer).setUint32(0, text.length, true);
    found.set(text, 8);
    let place = 8 + text.length;
    for (const [, array] of named) {
      found.set(new Uint8Array(array.buffer), place);
      place += array.byteLength;
    }
    return found;
  }
}
