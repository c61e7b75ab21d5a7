/**
 * Unpacks a packed table: `openTable(await unpackTable(bytes))`. Other bytes are returned as they
 * are. Throws a TypeError if `data` are not bytes, and an Error if a block of the table is damaged.
 */
export function unpackTable(data: ArrayBuffer | Uint8Array): Promise<Uint8Array>;
