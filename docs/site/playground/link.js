/** Rules in the fragment of an address: #a, which names the version, and base64url of deflate-raw. */

const VERSION = "a";
const MOST = 100_000; // characters
const TOO_LONG = "The rules have more than 100,000 characters, too many for a link.";

const streamOf = (data) => new Blob([data]).stream();

/** Return the fragment for a text; raises RangeError with a sentence. */
export async function toFragment(text) {
  if (text.length > MOST) throw new RangeError(TOO_LONG);
  const packed = streamOf(text).pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#${VERSION}${btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Return the text in a fragment; raises RangeError with a sentence. */
export async function fromFragment(fragment) {
  const [version, data] = [fragment.slice(1, 2), fragment.slice(2)];
  if (version !== VERSION)
    throw new RangeError(`This link is of version “${version}”; this page reads “${VERSION}”.`);
  let size = 0;
  const transform = (part, output) => {
    size += part.length;
    if (size > 4 * MOST) throw new RangeError(TOO_LONG);
    output.enqueue(part);
  };
  try {
    const signs = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    const unpacked = streamOf(Uint8Array.from(signs, (sign) => sign.charCodeAt(0)))
      .pipeThrough(new DecompressionStream("deflate-raw"))
      .pipeThrough(new TransformStream({ transform }));
    const bytes = await new Response(unpacked).arrayBuffer();
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.length <= MOST) return text;
  } catch {
    if (size <= 4 * MOST) throw new RangeError("This link is damaged: copy all of it.");
  }
  throw new RangeError(TOO_LONG);
}
